/** Reported instead of the key while an input method composes, also where `isComposing` is late. */
const composingKeyCode = 229;

/** True for Enter alone; never while an input method composes. */
export function isSendKey(event: KeyboardEvent): boolean {
  const isModified = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
  // `keyCode` has no successor that tells of a composition in Chromium's last key event.
  return event.key === "Enter" && !isModified && !isComposing(event);
}

/** Whether the key belongs to an input method that composes. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === composingKeyCode;
}

/** Which way a plain arrow key points, if it is one; none while an input method composes. */
export function arrowDirection(event: KeyboardEvent): "up" | "down" | undefined {
  const isModified = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
  if (isModified || isComposing(event)) return undefined;
  if (event.key === "ArrowUp") return "up";
  return event.key === "ArrowDown" ? "down" : undefined;
}
