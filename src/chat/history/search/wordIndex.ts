import { forEachWord, soughtIn } from "../../../text/searchWords.ts";

/** Whether a conversation may match. */
export type WordFilter = (id: string) => boolean;

/**
 * An index of the words in each conversation. A query rules out most conversations; the others must be read.
 * Needs about 4 bytes per conversation and distinct word, plus one list of all words.
 */
export class WordIndex {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #documents = new Map<string, Uint32Array>();
  /** By word: number of the last document with this word. Avoids a set per document. */
  #seen = new Uint32Array(1024);
  #document = 0;

  /** @param text normalized */
  set(id: string, text: string): void {
    this.#document += 1;
    const found: number[] = [];
    forEachWord(text, (word) => {
      const number = this.#numbers.get(word) ?? this.#add(word);
      if (this.#seen[number] === this.#document) return;
      this.#seen[number] = this.#document;
      found.push(number);
    });
    this.#documents.set(id, Uint32Array.from(found));
  }

  delete(id: string): void {
    this.#documents.delete(id);
  }

  /** @param terms normalized; each one must occur */
  filter(terms: readonly string[]): WordFilter {
    const sought = [...new Set(terms.flatMap(soughtIn))].map((part) => this.#wordsWith(part));
    return (id) => {
      const document = this.#documents.get(id);
      return document === undefined || sought.every((words) => holdsOneOf(document, words));
    };
  }

  #add(word: string): number {
    const number = this.#words.length;
    // A substring would keep the whole original text in memory.
    const own = word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
    this.#words.push(own);
    this.#numbers.set(own, number);
    if (number >= this.#seen.length) {
      const seen = new Uint32Array(this.#seen.length * 2);
      seen.set(this.#seen);
      this.#seen = seen;
    }
    return number;
  }

  #wordsWith(part: string): Uint8Array {
    const found = new Uint8Array(this.#words.length);
    for (const [number, word] of this.#words.entries()) {
      if (word.includes(part)) found[number] = 1;
    }
    return found;
  }
}

function holdsOneOf(document: Uint32Array, words: Uint8Array): boolean {
  // An index loop is several times faster than an iterator, and there are millions of words.
  for (let at = 0; at < document.length; at += 1) {
    const number = document[at] ?? 0;
    // A word that was added after the filter was created may match.
    if (number >= words.length || words[number] === 1) return true;
  }
  return false;
}
