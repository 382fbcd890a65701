/** The key code that replaces the real one while an input method composes, even if `isComposing` is set too late. */
const composingKeyCode = 229;

/** True for Enter without modifiers, except while an input method composes. */
export function isSendKey(event: KeyboardEvent): boolean {
  const isModified = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
  return event.key === "Enter" && !isModified && !isComposing(event);
}

/** Whether an input method handles the key. */
export function isComposing(event: KeyboardEvent): boolean {
  // Only the deprecated `keyCode` marks the last key event of a composition in Chromium.
  return event.isComposing || event.keyCode === composingKeyCode;
}

/** The direction of an arrow key without modifiers; undefined for other keys and while an input method composes. */
export function arrowDirection(event: KeyboardEvent): "up" | "down" | undefined {
  const isModified = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
  if (isModified || isComposing(event)) return undefined;
  if (event.key === "ArrowUp") return "up";
  return event.key === "ArrowDown" ? "down" : undefined;
}
