/** Draws, and where the focused button is gone afterwards, hands the focus to the page's first button. */
export function keepFocus(root: HTMLElement, draw: () => void): void {
  const before = document.activeElement;
  const held = before instanceof HTMLElement && root.contains(before);
  draw();
  if (held && !before.isConnected) {
    (root.querySelector<HTMLElement>(".report-actions button") ?? root.querySelector("h1"))?.focus();
  }
}
