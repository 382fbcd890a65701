import type { PageMessage, ToWebview } from "../../chat/page/protocol.ts";

/** Where one reads in a chat. */
export interface ReadingPlace {
  /** The first turn in view. */
  readonly turnId: string;
  /** Which of the turn's parts stands at the top; absent where none does. */
  readonly part?: number;
  /** Pixels from the top of the transcript down to that of the part or turn; less than zero where it begins above. */
  readonly offset: number;
}

/** The extension, as the page sees it. */
export interface Host {
  post(message: PageMessage): void;
  listen(listener: (message: ToWebview) => void): void;
  /** What the editor keeps for the page while it is hidden and across reloads. */
  saveState(state: SavedState): void;
  /** What was kept last, by the page of before at first. */
  readonly savedState: SavedState | undefined;
}

interface SavedState {
  /** The chat on the page, by which an editor tab finds it again. */
  readonly chatId: string;
  /** Absent where one was at the end. */
  readonly place?: ReadingPlace;
}

/** To be called once: the editor hands its interface out a single time. */
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
