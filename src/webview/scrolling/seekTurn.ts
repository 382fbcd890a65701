/** A turn's article; null while it is not on the page. */
export function findTurn(log: HTMLElement, turnId: string): HTMLElement | null {
  return log.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turnId)}"]`);
}

/**
 * Finds a turn's article once it is on the page: old turns come later. It gets the focus then, with a ring
 * also for who uses a mouse: what was found stands out until one goes on.
 */
export function seekTurn(log: HTMLElement, turnId: string): () => HTMLElement | null {
  let isFocused = false;
  return () => {
    const article = findTurn(log, turnId);
    if (article !== null && !isFocused) {
      isFocused = true;
      focusFound(article);
    }
    return article;
  };
}

function focusFound(article: HTMLElement): void {
  article.dataset["found"] = "";
  article.addEventListener("blur", () => delete article.dataset["found"], { once: true });
  article.focus({ preventScroll: true });
}
