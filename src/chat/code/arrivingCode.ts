import { FenceReader } from "../../text/markdown/codeFences.ts";

/** Number of old lines that are searched for a match of a new line. */
const farthest = 50;

/** A line without letters and digits, such as `}`, occurs everywhere. So its match proves nothing. */
const hasWord = /[\p{L}\p{N}]/u;

/**
 * The first code block of a streaming answer. The block replaces old lines. The cost of `push` does not grow with the
 * length of the answer.
 */
export class ArrivingCode {
  readonly #old: readonly string[];
  readonly #fences = new FenceReader();
  readonly #lines: string[] = [];
  /** The last line, still without its line break. */
  #open = "";
  #state: "ahead" | "inside" | "behind" = "ahead";
  /** Number of old lines up to the last match, and of new lines since that match. */
  #met = 0;
  #since = 0;

  constructor(old: readonly string[]) {
    this.#old = old;
  }

  get hasCode(): boolean {
    return this.#state !== "ahead";
  }

  /** Whether the code block has ended. */
  get isWhole(): boolean {
    return this.#state === "behind";
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The old lines that the new code has not reached yet. */
  get rest(): readonly string[] {
    return this.isWhole ? [] : this.#old.slice(this.#met + this.#since);
  }

  push(text: string): void {
    const [first = "", ...others] = text.split("\n");
    // An incomplete line is only appended to. Parsing a long line again with each piece would be too slow.
    this.#open += first;
    for (const next of others) {
      this.#take(this.#open);
      this.#open = next;
    }
  }

  /** Call this at the end of the answer. */
  finish(): void {
    if (this.#open !== "") this.#take(this.#open);
    this.#open = "";
  }

  /**
   * Call this when an answer ended without a code block. If the text contains a line of the old code,
   * the whole text counts as code.
   */
  takeWords(text: string): void {
    const known = new Set(this.#old.map((line) => line.trim()).filter((line) => hasWord.test(line)));
    const lines = text.replace(/\n$/, "").split(/\r?\n/);
    if (!lines.some((line) => known.has(line.trim()))) return;
    this.#lines.push(...lines);
    this.#state = "behind";
  }

  #take(line: string): void {
    if (this.#state === "behind") return;
    const read = this.#fences.read(line);
    if (read.kind === "opening") this.#state = "inside";
    else if (read.kind === "closing") this.#state = "behind";
    else if (read.kind === "code") this.#takeCode(read.text);
  }

  #takeCode(line: string): void {
    this.#lines.push(line);
    const near = hasWord.test(line) ? this.#old.slice(this.#met, this.#met + farthest) : [];
    const ahead = near.findIndex((old) => old.trim() === line.trim());
    this.#met += ahead + 1;
    this.#since = ahead < 0 ? this.#since + 1 : 0;
  }
}
