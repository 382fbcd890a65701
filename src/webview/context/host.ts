import type { PageMessage, ToWebview } from "../../chat/page/protocol.ts";

/** The user's reading place in a chat. */
export interface ReadingPlace {
  /** The first turn in view. */
  readonly turnId: string;
  /** Index of the part of the turn that is at the top; absent if there is none. */
  readonly part?: number;
  /** Pixels from the top of the transcript down to the top of the part or turn; negative if scrolled out. */
  readonly offset: number;
}

/** The extension host, as the page sees it. */
export interface Host {
  post(message: PageMessage): void;
  listen(listener: (message: ToWebview) => void): void;
  /** Stores state in VS Code that survives hiding and reloading the page. */
  saveState(state: SavedState): void;
  /** The last stored state; at first that of the previous page. */
  readonly savedState: SavedState | undefined;
}

interface SavedState {
  /** The chat on the page; an editor tab restores the chat by this ID. */
  readonly chatId: string;
  /** Absent if the user was at the end. */
  readonly place?: ReadingPlace;
}

/** Call only once: VS Code hands out its interface a single time. */
export function connectHost(): Host {
  const editor = acquireVsCodeApi<SavedState>();
  return {
    post: (message) => editor.postMessage(message),
    listen: (listener) =>
      window.addEventListener("message", ({ data }: MessageEvent<ToWebview>) => listener(data)),
    saveState: (state) => void editor.setState(state),
    get savedState() {
      return editor.getState();
    },
  };
}

/**
 * Calls `leave` when the page may be about to close. VS Code handles keys with Control, Alt or Command itself, and the
 * command they run may hide the page. Returns a function that removes the listeners.
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

/** Tells when a text box of the page gets the focus, or loses it. */
export function watchTyping(tell: (isTyping: boolean) => void): void {
  let wasTyping = false;
  const look = (): void => {
    const isTyping = document.hasFocus() && document.activeElement?.matches("textarea, input") === true;
    if (isTyping === wasTyping) return;
    wasTyping = isTyping;
    tell(isTyping);
  };
  for (const type of ["focusin", "focusout", "focus", "blur"]) window.addEventListener(type, look);
}
