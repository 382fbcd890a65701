import { watchLeaving, type ReadingPlace } from "../context/host.ts";

/** Milliseconds between two looks at where one reads while the transcript is scrolled. */
const pause = 200;

/** What a turn's text is laid out in: parts out of sight have a guess for their size. */
const parts = ".markdown-section, .code-part";

/** Tells where one reads as the transcript is scrolled, before the page may be gone at the latest; returns how to stop. */
export function followReading(log: HTMLElement, notify: () => void): () => void {
  let timer: number | undefined;
  const end = (): void => {
    window.clearTimeout(timer);
    timer = undefined;
  };
  const notifyNow = (): void => {
    if (timer === undefined) return;
    end();
    notify();
  };
  const onScroll = (): void => {
    timer ??= window.setTimeout(notifyNow, pause);
  };
  log.addEventListener("scroll", onScroll, { passive: true });
  const unwatch = watchLeaving(notifyNow);
  return () => {
    log.removeEventListener("scroll", onScroll);
    unwatch();
    end();
  };
}

/** The turn and part at the top of the transcript; undefined where no turn is in view. */
export function readingPlaceIn(log: HTMLElement): ReadingPlace | undefined {
  const { top } = log.getBoundingClientRect();
  // Turns of a group out of sight are not laid out, and would be where one asks for their places.
  for (const group of log.querySelectorAll(".turn-group")) {
    if (endsAbove(group, top)) continue;
    const turn = Array.from(group.children).find((each) => !endsAbove(each, top));
    const turnId = turn?.getAttribute("data-turn") ?? undefined;
    if (turn !== undefined && turnId !== undefined) return { turnId, ...placeIn(turn, top) };
  }
  return undefined;
}

/** The innermost part that the top goes through, or else the turn itself. */
function placeIn(turn: Element, top: number): Pick<ReadingPlace, "part" | "offset"> {
  const all = [...turn.querySelectorAll(parts)];
  const index = all.findLastIndex(
    (part) =>
      part.checkVisibility({ contentVisibilityAuto: true }) &&
      !endsAbove(part, top) &&
      offsetOf(part, top) <= 0,
  );
  const part = all[index];
  return part === undefined ? { offset: offsetOf(turn, top) } : { part: index, offset: offsetOf(part, top) };
}

function endsAbove(element: Element, top: number): boolean {
  return element.getBoundingClientRect().bottom <= top;
}

function offsetOf(element: Element, top: number): number {
  return element.getBoundingClientRect().top - top;
}

/** Finds what one read once it is drawn, and its turn until then; looks for neither further where it is known. */
export function findReading(log: HTMLElement, { turnId, part }: ReadingPlace): () => HTMLElement | null {
  let turn: HTMLElement | null = null;
  let found: HTMLElement | undefined;
  return () => {
    if (found?.isConnected === true) return found;
    if (turn?.isConnected !== true) turn = findTurn(log, turnId);
    found = part === undefined ? undefined : turn?.querySelectorAll<HTMLElement>(parts)[part];
    return found ?? turn;
  };
}

/** A turn's article; null while it is not on the page. */
function findTurn(log: HTMLElement, turnId: string): HTMLElement | null {
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
