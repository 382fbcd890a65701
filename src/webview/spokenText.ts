/** A sentence's end, also in Arabic, Urdu, Hindi, Chinese and Japanese, or a line's. */
const sentenceEnd =
  /[.!?\u2026\u061f\u06d4\u0964\u3002\uff01\uff1f]["')\]\u201d\u2019]*[ \t]+|[\u3002\uff01\uff1f]|\n/g;
/** A sentence that is longer is read out in parts. */
const longestSentence = 400;

/**
 * Turns an arriving Markdown text into sentences to be read out: without its marks, and without the
 * lines of code blocks. Keeps no more than an unfinished sentence.
 */
export class SpokenText {
  #rest = "";
  #inCode = false;

  /** Takes the next part of the text; yields the sentences it completed. */
  push(text: string): string[] {
    this.#rest += text;
    const sentences: string[] = [];
    let start = 0;
    for (const match of this.#rest.matchAll(sentenceEnd)) {
      const end = match.index + match[0].length;
      this.#say(this.#rest.slice(start, end), sentences);
      start = end;
    }
    this.#rest = this.#rest.slice(start);
    while (this.#rest.length > longestSentence) {
      this.#say(this.#rest.slice(0, longestSentence), sentences);
      this.#rest = this.#rest.slice(longestSentence);
    }
    return sentences;
  }

  /** The text has ended: yields what is left. */
  end(): string[] {
    const sentences: string[] = [];
    this.#say(this.#rest, sentences);
    this.#rest = "";
    return sentences;
  }

  #say(raw: string, sentences: string[]): void {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      this.#inCode = !this.#inCode;
      return;
    }
    const spoken = withoutMarks(raw);
    if (!this.#inCode && /[\p{L}\p{N}]/u.test(spoken)) {
      sentences.push(spoken);
    }
  }
}

function withoutMarks(text: string): string {
  return text
    .replace(/^\s*(?:#{1,6}\s|>\s?|[-*+]\s|\d+[.)]\s)/, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*_`|~]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
