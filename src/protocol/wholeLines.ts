import { UnreadableStreamError } from "./unreadableStream.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const usualHold = 4 * 1024;

/**
 * Cuts the bytes of one stream (UTF-8) behind its whole lines. No line's end is a part of a character, so
 * what is handed on is decoded for itself: a decoder that goes on between reads is several times slower,
 * and makes texts of two bytes a character, which all readers behind it are slower on as well.
 */
export class WholeLines {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #mostCharacters: number;
  /** The beginning of a line whose end has not come. */
  #held = new Uint8Array(usualHold);
  #length = 0;
  #characters = 0;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  /**
   * The whole lines that are there now, ends included; the beginning of a further one is kept.
   * @throws UnreadableStreamError `too-large`
   */
  take(bytes: Uint8Array): string {
    const end = endOfLines(bytes);
    const lines = end === 0 ? "" : this.#decode(end === bytes.length ? bytes : bytes.subarray(0, end));
    if (end < bytes.length) this.#hold(bytes.subarray(end));
    return lines;
  }

  /** The beginning of the line that has no end. */
  rest(): string {
    return this.#decode(new Uint8Array());
  }

  #decode(bytes: Uint8Array): string {
    if (this.#length === 0) return this.#decoder.decode(bytes);
    this.#append(bytes);
    const text = this.#decoder.decode(this.#held.subarray(0, this.#length));
    // What an unusual line needed is given back.
    if (this.#held.length > 64 * usualHold) this.#held = new Uint8Array(usualHold);
    this.#length = 0;
    this.#characters = 0;
    return text;
  }

  #hold(bytes: Uint8Array): void {
    this.#characters += countCharacters(bytes);
    if (this.#characters > this.#mostCharacters) {
      const start = this.#length === 0 ? bytes : this.#held.subarray(0, this.#length);
      throw new UnreadableStreamError("too-large", this.#decoder.decode(start.subarray(0, usualHold)));
    }
    this.#append(bytes);
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.max(length, this.#held.length * 2));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#length);
    this.#length = length;
  }
}

/** Where what is behind the last line's end begins; 0 where no line ends. */
function endOfLines(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 0; end -= 1) {
    const byte = bytes[end - 1];
    if (byte === lineFeed || byte === carriageReturn) return end;
  }
  return 0;
}

/** As JavaScript counts them: every character's first byte, and those of four bytes twice. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}
