import { isTooLong, readCommitMessage } from "../../chat/commit/commitMessage.ts";
import type { CommitBox } from "./commitBox.ts";

/** Milliseconds between two writes into the box, each of which costs the editor an edit. */
const writeInterval = 100;

/** One message on its way into a box, which follows it for as long as nobody types. */
export class CommitWriting {
  readonly box: CommitBox;
  /** What the box held before. */
  readonly before: string;
  /** What stays above the message: the user's own text, with an empty line. */
  readonly above: string;
  /** What was written into the box last. */
  shown: string;
  /** Whether the user has typed since, so that the box is theirs. */
  typed = false;
  #answer = "";
  #writes = 0;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;

  constructor(box: CommitBox, before: string, above: string) {
    this.box = box;
    this.before = before;
    this.above = above;
    this.shown = before;
  }

  /** What has come of the message, if nothing follows. */
  get message(): string {
    return readCommitMessage(this.#answer);
  }

  /** More has come than any message has. */
  get isTooLong(): boolean {
    return isTooLong(this.#answer);
  }

  push(text: string): void {
    this.#answer += text;
    if (this.#writing !== undefined || performance.now() - this.#wroteAt < writeInterval) return;
    this.#writing = this.#write(readCommitMessage(this.#answer, false))
      // Tried again with what comes next, and at the end.
      .catch(() => undefined)
      .finally(() => {
        this.#wroteAt = performance.now();
        this.#writing = undefined;
      });
  }

  /** Has the whole message in the box, by one edit: one undo takes it back however often it was written. */
  async finish(): Promise<void> {
    await this.#writing;
    const isWritten = this.#writes === 1 && this.shown === this.above + this.message;
    if (this.#writes > 0 && !isWritten) await this.restore();
    await this.#write(this.message);
  }

  /** The box is as it was, unless it is the user's by now. */
  async restore(): Promise<void> {
    await this.#writing;
    await this.#replace(this.before);
  }

  async #write(message: string): Promise<void> {
    if (message !== "") await this.#replace(this.above + message);
  }

  async #replace(text: string): Promise<void> {
    if (this.typed || text === this.shown) return;
    this.typed = !(await this.box.replace(this.shown, text));
    if (this.typed) return;
    this.shown = text;
    this.#writes += 1;
  }
}
