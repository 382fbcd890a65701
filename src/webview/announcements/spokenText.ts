import { FenceReader } from "../../text/markdown/codeFences.ts";
import { findFormulas, mayHoldFormula, texOf } from "../../text/markdown/formulas.ts";
import { wholeStart } from "../../text/cutText.ts";

/** The end of a sentence (also in Arabic, Urdu, Hindi, Chinese and Japanese) or of a line. */
const sentenceEnd =
  /[.!?\u2026\u061f\u06d4\u0964\u3002\uff01\uff1f]["')\]\u201d\u2019]*[ \t]+|[\u3002\uff01\uff1f]|\n/g;
/** Maximum UTF-16 units of a sentence. Longer sentences are split. */
const maxSentenceLength = 400;
/** Marks of lists and quotes, which may contain a code block. */
const containerMarks = /^\s*(?:(?:>|[-*+]\s|\d{1,9}[.)]\s)\s*)*/;
/**
 * A link; the last group exists only if the link is complete. Also consumes an incomplete link in one match. Retrying
 * from each of its brackets would take quadratic time.
 */
const link = /\[([^\]]*)(?:\]\([^)]*(\))?)?/g;

/**
 * Converts streamed Markdown to sentences for a screen reader, without marks and code blocks. Buffers at most one
 * unfinished sentence.
 */
export class SpokenText {
  #rest = "";
  /** The start of a line that may be a code fence. The rest of the line decides. */
  #buffered = "";
  #isLineBegun = false;
  #fences = new FenceReader();
  #inCode = false;
  /** Whether the code block stands in a quote. */
  #isQuoted = false;
  /** Whether a formula of several lines has begun. */
  #inFormula = false;

  /** Adds the next part of the text. Returns the sentences it completes. */
  push(text: string): string[] {
    this.#rest += text;
    const sentences: string[] = [];
    let start = 0;
    for (const match of this.#rest.matchAll(sentenceEnd)) {
      const end = match.index + match[0].length;
      this.#addSentence(this.#rest.slice(start, end), sentences);
      start = end;
    }
    this.#rest = this.#rest.slice(start);
    while (this.#rest.length > maxSentenceLength) {
      const part = wholeStart(this.#rest, maxSentenceLength);
      this.#addSentence(part, sentences);
      this.#rest = this.#rest.slice(part.length);
    }
    return sentences;
  }

  /** Ends the text. Returns the remaining sentence. */
  end(): string[] {
    const sentences: string[] = [];
    this.#addSentence(`${this.#rest}\n`, sentences);
    this.#rest = "";
    return sentences;
  }

  #addSentence(raw: string, sentences: string[]): void {
    const part = this.#buffered + raw;
    this.#buffered = "";
    if (this.#mayOpenCode(part)) {
      this.#buffered = part;
      return;
    }
    const isCode = this.#isCode(part);
    this.#isLineBegun = !part.endsWith("\n");
    const spoken = withoutMarks(this.#isFormula(part) ? speakTex(part) : part);
    if (!isCode && /[\p{L}\p{N}]/u.test(spoken)) sentences.push(spoken);
  }

  /** Whether the rest of the line decides if a code block opens. */
  #mayOpenCode(part: string): boolean {
    if (this.#inCode || this.#isLineBegun || part.endsWith("\n") || part.length >= maxSentenceLength)
      return false;
    return /^(?:`{3}|~{3}|$)/.test(part.replace(containerMarks, ""));
  }

  /** Whether the part belongs to a formula of several lines. */
  #isFormula(part: string): boolean {
    const begun = part.replace(containerMarks, "").replace(/^(?:\$\$|\\\[)/, "");
    if (!this.#inFormula && begun === part.replace(containerMarks, "")) return false;
    this.#inFormula = !/\$\$|\\\]/.test(this.#inFormula ? part : begun) && part.trim() !== "";
    return true;
  }

  /** Whether the part belongs to a code block or its fences, which have lines of their own. */
  #isCode(part: string): boolean {
    if (this.#isLineBegun) return this.#inCode;
    const marks = containerMarks.exec(part)?.[0] ?? "";
    if (this.#inCode && this.#isQuoted && !marks.includes(">")) {
      // A code block ends with the quote around it.
      this.#fences = new FenceReader();
      this.#inCode = false;
    }
    if (!this.#inCode) this.#isQuoted = marks.includes(">");
    const line = this.#inCode ? part.replace(this.#isQuoted ? /^[\s>]*/ : "", "") : part.slice(marks.length);
    const { kind } = this.#fences.read(line.replace(/\n$/, ""));
    this.#inCode = kind === "opening" || kind === "code";
    return kind !== "words";
  }
}

/** Returns TeX without the marks that are not read, such as `frac a b` for `\frac{a}{b}`. */
function speakTex(tex: string): string {
  return tex.replaceAll(/\\(?:([A-Za-z]+)|[^])/g, " $1 ").replaceAll(/[{}$&]+/g, " ");
}

function speakFormulas(text: string): string {
  if (!mayHoldFormula(text)) return text;
  let [spoken, end] = ["", 0];
  for (const { index, source } of findFormulas(text)) {
    spoken += text.slice(end, index) + speakTex(texOf(source));
    end = index + source.length;
  }
  return spoken + text.slice(end);
}

function withoutMarks(text: string): string {
  return speakFormulas(text)
    .replace(/^\s*(?:#{1,6}\s|>\s?|[-*+]\s|\d+[.)]\s)/, "")
    .replaceAll(link, (whole, words: string, end?: string) => (end === undefined ? whole : words))
    .replaceAll(/[*_`|~]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
