import { followFences, openFence, type OpenFence, readItemMarks } from "./markdownLines.ts";

/** The role of a Markdown line: text outside code blocks, or a part of a code block. */
export type FenceLine =
  | { readonly kind: "words" }
  | { readonly kind: "opening"; readonly info: string }
  /** `text` is the line without the indent of the block. */
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "closing" };

/**
 * Matches an opening fence. The lookaheads make a mark match as a whole, which prevents quadratic backtracking on other
 * lines.
 */
const opening = /^(`{3,}(?!`)|~{3,}(?!~))(.*)$/;

/**
 * Finds fenced code in Markdown that arrives line by line. Accepts every fence, even in raw HTML. Use
 * `MarkdownSplitter` for text that is displayed.
 */
export class FenceReader {
  #fences: readonly OpenFence[] = [];

  /** Reads the next line, given without its line break. */
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

/** Returns a fence that the text cannot close: one backtick more than the longest run in the text, at least 3. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}
