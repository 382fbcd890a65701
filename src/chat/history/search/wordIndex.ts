import { forEachWord, soughtIn } from "../../../text/searchWords.ts";

/** Whether a conversation may hold what is looked for. */
export type WordFilter = (id: string) => boolean;

/**
 * Which words occur in which conversation. It says at once where a text cannot be; where it may be, the
 * conversation itself has to be read. About 4 bytes per conversation and word of it, beside one list of
 * all words.
 */
export class WordIndex {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #documents = new Map<string, Uint32Array>();
  /** By word: the last document it was seen in, counted. Spares a set for each document. */
  #seen = new Uint32Array(1024);
  #document = 0;

  /** @param text normalised */
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

  /** @param terms normalised; each has to occur */
  filter(terms: readonly string[]): WordFilter {
    const sought = [...new Set(terms.flatMap(soughtIn))].map((part) => this.#wordsWith(part));
    return (id) => {
      const document = this.#documents.get(id);
      return document === undefined || sought.every((words) => holdsOneOf(document, words));
    };
  }

  #add(word: string): number {
    const number = this.#words.length;
    // A slice would keep the whole text it was cut from in memory.
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
  // By index: an iterator takes several times as long, and these are millions.
  for (let at = 0; at < document.length; at += 1) {
    const number = document[at] ?? 0;
    // A word that came in since then is not known to be another.
    if (number >= words.length || words[number] === 1) return true;
  }
  return false;
}
