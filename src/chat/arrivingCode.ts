import { FenceReader } from "./codeFences.ts";

/** How far ahead a line that stays is looked for among the old ones. */
const farthest = 50;

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

  /** The code so far, and the old lines that it has not come to yet. */
  get shown(): readonly string[] {
    return this.isWhole ? this.#lines : [...this.#lines, ...this.#old.slice(this.#met + this.#since)];
  }

  push(text: string): void {
    const lines = (this.#open + text).split("\n");
    this.#open = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  /** To be called when nothing more comes. */
  finish(): void {
    if (this.#open !== "") this.#take(this.#open);
    this.#open = "";
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
    const until = Math.min(this.#old.length, this.#met + farthest);
    const isKnown = /[\p{L}\p{N}]/u.test(line);
    for (let at = this.#met; isKnown && at < until; at += 1) {
      if (this.#old[at]?.trim() !== line.trim()) continue;
      this.#met = at + 1;
      this.#since = 0;
      return;
    }
    this.#since += 1;
  }
}
