import { followFences, openFence, type OpenFence, readItemMarks } from "./markdownLines.ts";

/** What a line of Markdown is to the code blocks around it. */
export type FenceLine =
  | { readonly kind: "words" }
  | { readonly kind: "opening"; readonly info: string }
  /** Without the indent of its block. */
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "closing" };

/** The mark as a whole: tried at each of its lengths, a line that is none would take a time by the square of it. */
const opening = /^(`{3,}(?!`)|~{3,}(?!~))(.*)$/;

/**
 * Reads Markdown line by line, as it arrives, for its fenced code. It takes every fence for one, also in raw HTML: it
 * is for answers that are known to hold code. What is shown of an answer is read by `MarkdownSplitter`.
 */
export class FenceReader {
  #fences: readonly OpenFence[] = [];

  /** Takes the next line, without its line break. */
  read(line: string): FenceLine {
    const text = line.replace(/\r$/, "");
    const [fence] = this.#fences;
    return fence === undefined ? this.#readOutside(text) : this.#readInside(text, fence.indent);
  }

  #readOutside(line: string): FenceLine {
    const marks = readItemMarks(line);
    const [, mark = "", info = ""] = opening.exec(line.slice(marks.length)) ?? [];
    if (mark === "" || (mark.startsWith("`") && info.includes("`"))) return { kind: "words" };
    this.#fences = [openFence({ mark, indent: marks.length, info: info.trim() })];
    return { kind: "opening", info: info.trim() };
  }

  #readInside(line: string, indent: number): FenceLine {
    this.#fences = followFences(this.#fences, line.trimStart());
    if (this.#fences.length === 0) return { kind: "closing" };
    const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    return { kind: "code", text: line.slice(Math.min(indent, own)) };
  }
}

/** A fence that no line of the text ends: one backtick more than the longest run in it, at least three. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}
