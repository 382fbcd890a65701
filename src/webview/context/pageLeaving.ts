/**
 * Calls back whenever the page may be gone in a moment: the editor takes keys with Control and the like for its
 * own, and what they lead to may hide the page. The result takes the listeners away.
 */
export function watchLeaving(leave: () => void): () => void {
  const onKeyDown = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey) leave();
  };
  document.addEventListener("keydown", onKeyDown, true);
  document.addEventListener("visibilitychange", leave);
  window.addEventListener("blur", leave);
  window.addEventListener("pagehide", leave);
  return () => {
    document.removeEventListener("keydown", onKeyDown, true);
    document.removeEventListener("visibilitychange", leave);
    window.removeEventListener("blur", leave);
    window.removeEventListener("pagehide", leave);
  };
}
