import { FenceReader } from "../../text/markdown/codeFences.ts";

/** How far ahead a line that stays is looked for among the old ones. */
const farthest = 50;

/** Brackets alone are everywhere, and say nothing. */
const hasWord = /[\p{L}\p{N}]/u;

/**
 * The first code block of an answer, as it arrives, in the place of old lines. Each piece costs the same
 * however much has come.
 */
export class ArrivingCode {
  readonly #old: readonly string[];
  readonly #fences = new FenceReader();
  readonly #lines: string[] = [];
  /** The beginning of a line whose break has not come. */
  #open = "";
  #state: "ahead" | "inside" | "behind" = "ahead";
  /** Old lines up to the last one that came again, and lines that came since. */
  #met = 0;
  #since = 0;

  constructor(old: readonly string[]) {
    this.#old = old;
  }

  /** Whether a code block has begun. */
  get hasCode(): boolean {
    return this.#state !== "ahead";
  }

  /** Whether its end has come. */
  get isWhole(): boolean {
    return this.#state === "behind";
  }

  /** The code so far. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The old lines that it has not come to yet. */
  get rest(): readonly string[] {
    return this.isWhole ? [] : this.#old.slice(this.#met + this.#since);
  }

  push(text: string): void {
    const [first = "", ...others] = text.split("\n");
    // A line that goes on is only added to: searched anew with each piece, a long one would take for ever.
    this.#open += first;
    for (const next of others) {
      this.#take(this.#open);
      this.#open = next;
    }
  }

  /** To be called when nothing more comes. */
  finish(): void {
    if (this.#open !== "") this.#take(this.#open);
    this.#open = "";
  }

  /**
   * To be called where an answer has ended without a code block: it is the code itself where it has lines
   * of the old one.
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
