import type { FromWebview } from "../../chat/page/protocol.ts";

/** Up to this length (UTF-16 units) a draft is posted to the host at each keystroke. */
const shortDraft = 4096;
/** Minimum time in ms between two posts of a longer draft. */
const draftPause = 300;

/** Stores unsent text with the host. VS Code's own webview storage must not hold an API key typed by mistake. */
export class TypedTexts {
  readonly #post: (message: FromWebview) => void;
  /** Unsent edits by question ID. */
  #edits: Map<string, string> = new Map();
  /** The timer that runs after a long draft was posted. */
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** The question that the pending draft edits; undefined for the composer. */
  #turnId: string | undefined;
  /** Posts the pending draft. */
  #handOver: (() => void) | undefined;

  constructor(post: (message: FromWebview) => void) {
    this.#post = post;
  }

  /** Replaces all edits by those of the chat that is now shown. */
  loadEdits(edits: Readonly<Record<string, string>>): void {
    this.#edits = new Map(Object.entries(edits));
  }

  /** The unsent edit of this question; undefined if there is none. */
  editOf(turnId: string): string | undefined {
    return this.#edits.get(turnId);
  }

  forgetEdit(turnId: string): void {
    this.#edits.delete(turnId);
  }

  save(chatId: string, draft: string, turnId?: string): void {
    // Post the pending long draft of another text box, which this draft would replace.
    if (turnId !== this.#turnId) this.handOver();
    this.#turnId = turnId;
    if (turnId !== undefined && draft === "") this.#edits.delete(turnId);
    else if (turnId !== undefined) this.#edits.set(turnId, draft);
    this.#handOver = () =>
      this.#post({ type: "draft", chatId, ...(turnId === undefined ? {} : { turnId }), text: draft });
    // The page may be closed at any moment. Only a long draft is too expensive to post at each keystroke.
    if (draft.length <= shortDraft) this.handOver();
    else if (this.#pause === undefined) this.#handOverAndPause();
  }

  /** Posts the pending draft now. */
  handOver(): void {
    const handOver = this.#handOver;
    this.#handOver = undefined;
    handOver?.();
  }

  #handOverAndPause(): void {
    this.handOver();
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#handOver !== undefined) this.#handOverAndPause();
    }, draftPause);
  }
}
