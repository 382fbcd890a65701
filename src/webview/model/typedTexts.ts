import type { FromWebview } from "../../chat/page/protocol.ts";

/** Characters of a draft that is handed to the host at each key. */
const shortDraft = 4096;
/** A longer one is handed over no more often than this, in milliseconds. */
const draftPause = 300;

/**
 * Keeps what was typed and not sent with the host: a key among it must not get into the editor's own
 * storage. It stands in the composer, or with a turn is to take that question's place.
 */
export class TypedTexts {
  readonly #post: (message: FromWebview) => void;
  /** By question, what is to take its place and was not sent. */
  #edits: Map<string, string> = new Map();
  /** While a long draft has to wait for the one before it. */
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** The question whose place the draft that waits is to take; undefined for the composer's. */
  #turnId: string | undefined;
  /** Hands the draft over that waits. */
  #handOver: (() => void) | undefined;

  constructor(post: (message: FromWebview) => void) {
    this.#post = post;
  }

  /** Of the chat that is shown from now on. */
  loadEdits(edits: Readonly<Record<string, string>>): void {
    this.#edits = new Map(Object.entries(edits));
  }

  /** What is to take this question's place and was not sent; undefined where nothing is. */
  editOf(turnId: string): string | undefined {
    return this.#edits.get(turnId);
  }

  forgetEdit(turnId: string): void {
    this.#edits.delete(turnId);
  }

  save(chatId: string, draft: string, turnId?: string): void {
    // Another box's long draft would be dropped for this one.
    if (turnId !== this.#turnId) this.handOver();
    this.#turnId = turnId;
    if (turnId !== undefined && draft === "") this.#edits.delete(turnId);
    else if (turnId !== undefined) this.#edits.set(turnId, draft);
    this.#handOver = () =>
      this.#post({ type: "draft", chatId, ...(turnId === undefined ? {} : { turnId }), text: draft });
    // The page may be gone at any moment; only a long draft is too dear to be handed over at each key.
    if (draft.length <= shortDraft) this.handOver();
    else if (this.#pause === undefined) this.#handOverAndPause();
  }

  /** What waits has nothing to wait for any longer. */
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
