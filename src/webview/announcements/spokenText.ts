import { FenceReader } from "../../text/markdown/codeFences.ts";
import { wholeStart } from "../../text/cutText.ts";

/** A sentence's end, also in Arabic, Urdu, Hindi, Chinese and Japanese, or a line's. */
const sentenceEnd =
  /[.!?\u2026\u061f\u06d4\u0964\u3002\uff01\uff1f]["')\]\u201d\u2019]*[ \t]+|[\u3002\uff01\uff1f]|\n/g;
/** A sentence that is longer is read out in parts. */
const maxSentenceLength = 400;
/** Marks of lists and quotes, which a code block may stand in. */
const containerMarks = /^\s*(?:(?:>|[-*+]\s|\d{1,9}[.)]\s)\s*)*/;
/**
 * A link, whose last group is there only where it is whole. What only begins like one is taken as well, as far as it
 * goes: looked at again from each of its brackets, it would take a time that grows with the square of its length.
 */
const link = /\[([^\]]*)(?:\]\([^)]*(\))?)?/g;

/**
 * Turns an arriving Markdown text into sentences to be read out: without its marks, and without the
 * lines of code blocks. Keeps no more than an unfinished sentence.
 */
export class SpokenText {
  #rest = "";
  /** The beginning of a line that may be the mark of a code block, once the rest of the line has come. */
  #buffered = "";
  #isLineBegun = false;
  #fences = new FenceReader();
  #inCode = false;
  /** Whether the code block stands in a quote. */
  #isQuoted = false;

  /** Takes the next part of the text; yields the sentences it completed. */
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

  /** The text has ended: yields what is left. */
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
    const spoken = withoutMarks(part);
    if (!isCode && /[\p{L}\p{N}]/u.test(spoken)) sentences.push(spoken);
  }

  /** Whether only the rest of the line can tell. */
  #mayOpenCode(part: string): boolean {
    if (this.#inCode || this.#isLineBegun || part.endsWith("\n") || part.length >= maxSentenceLength)
      return false;
    return /^(?:`{3}|~{3}|$)/.test(part.replace(containerMarks, ""));
  }

  /** Whether it is of a code block or its marks, which stand on lines of their own. */
  #isCode(part: string): boolean {
    if (this.#isLineBegun) return this.#inCode;
    const marks = containerMarks.exec(part)?.[0] ?? "";
    if (this.#inCode && this.#isQuoted && !marks.includes(">")) {
      // A code block ends with the quote that it stands in.
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

function withoutMarks(text: string): string {
  return text
    .replace(/^\s*(?:#{1,6}\s|>\s?|[-*+]\s|\d+[.)]\s)/, "")
    .replaceAll(link, (whole, words: string, end?: string) => (end === undefined ? whole : words))
    .replaceAll(/[*_`|~]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
