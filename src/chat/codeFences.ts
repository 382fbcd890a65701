/** What a line of Markdown is to the code blocks around it. */
export type FenceLine =
  | { readonly kind: "words" }
  | { readonly kind: "opening"; readonly info: string }
  /** Without the indent of its block. */
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "closing" };

/** The mark as a whole: tried at each of its lengths, a line that is none would take a time by the square of it. */
const opening = /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))(.*)$/;

/** Reads Markdown line by line, as it arrives, for its fenced code. */
export class FenceReader {
  #fence: { readonly mark: string; readonly indent: number } | undefined;

  /** Takes the next line, without its line break. */
  read(line: string): FenceLine {
    return this.#fence === undefined ? this.#readOutside(line) : this.#readInside(line, this.#fence);
  }

  #readOutside(line: string): FenceLine {
    const [, indent = "", mark = "", info = ""] = opening.exec(line.replace(/\r$/, "")) ?? [];
    if (mark === "" || (mark.startsWith("`") && info.includes("`"))) return { kind: "words" };
    this.#fence = { mark, indent: indent.length };
    return { kind: "opening", info: info.trim() };
  }

  #readInside(line: string, { mark, indent }: { readonly mark: string; readonly indent: number }): FenceLine {
    const text = line.replace(/\r$/, "");
    const bare = text.trim();
    if (bare.startsWith(mark) && bare === mark.charAt(0).repeat(bare.length)) {
      this.#fence = undefined;
      return { kind: "closing" };
    }
    const own = /^[ \t]*/.exec(text)?.[0].length ?? 0;
    return { kind: "code", text: text.slice(Math.min(indent, own)) };
  }
}

/** A fence that no line of the text ends: one backtick more than the longest run in it, at least three. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}
