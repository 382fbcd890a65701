import { InferenceError } from "./failure.ts";
import { KeyForms } from "./keyForms.ts";

/** What may stand in a header and in a key: visible ASCII, no blank (wire.md, "Keys"). */
const visibleAscii = /^[\x21-\x7e]+$/;

const placeholder = "[API key]";
/** Characters of a key at the end of a cut text that are no chance. */
const shortestPart = 6;
/** A key of fewer characters would be found in every second word. */
const shortestSearched = 8;

/** The part of a text from `start` up to and without `end`, in UTF-16 units. */
export interface KeyRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A private API key, sealed to the origin it was given for. It can be turned into a header for
 * that origin and into nothing else: printed, logged or serialised it is a placeholder.
 */
export class ApiKey {
  readonly #value: string;
  #forms: KeyForms | undefined;
  readonly origin: string;

  /**
   * @param value the cleaned key
   * @param origin scheme, host and port it may be sent to
   * @throws InferenceError `key`, where the value could not be sent as a header
   */
  constructor(value: string, origin: string) {
    if (value === "") throw new InferenceError({ kind: "key", cause: "empty-key" });
    if (!visibleAscii.test(value)) throw new InferenceError({ kind: "key", cause: "malformed-key" });
    this.#value = value;
    this.origin = origin;
  }

  /**
   * The value of the `Authorization` header (specification, section 5.1).
   * @throws InferenceError `key-origin`, where the URL is of another origin
   */
  authorizationFor(url: URL): string {
    if (url.origin !== this.origin) {
      throw new InferenceError({ kind: "key-origin", sealedOrigin: this.origin, origin: url.origin });
    }
    return `Bearer ${this.#value}`;
  }

  /**
   * The text with this key taken out, should a server echo it, in whatever form (`keyForms.ts`); also
   * the key's start at a cut end.
   */
  redactFrom(text: string): string {
    const whole = this.#redactWhole(text);
    if (!whole.includes(this.#value.slice(0, shortestPart))) return whole;
    const length = this.#startAtEndOf(whole, shortestPart);
    return length === 0 ? whole : whole.slice(0, -length) + placeholder;
  }

  /** Most of what a service says of itself is shorter than a key, which no form makes shorter. */
  #redactWhole(text: string): string {
    if (text.length < this.#value.length) return text;
    this.#forms ??= new KeyForms(this.#value);
    return this.#forms.replaceIn(text, placeholder);
  }

  /** Where this key stands in a text, as offsets of UTF-16 units; takes time linear in the text. */
  occurrencesIn(text: string): readonly KeyRange[] {
    const ranges: KeyRange[] = [];
    const { length } = this.#value;
    if (length < shortestSearched) return ranges;
    for (let at = text.indexOf(this.#value); at !== -1; at = text.indexOf(this.#value, at + length)) {
      ranges.push({ start: at, end: at + length });
    }
    return ranges;
  }

  /** Characters of this key's start that a text ends with, without the whole key; 0 where there are none. */
  startAtEndOf(text: string): number {
    return this.#value.length < shortestSearched ? 0 : this.#startAtEndOf(text, 1);
  }

  #startAtEndOf(text: string, leastLength: number): number {
    for (let length = this.#value.length - 1; length >= leastLength; length -= 1) {
      if (text.endsWith(this.#value.slice(0, length))) return length;
    }
    return 0;
  }

  /** Whether both are one key, whatever origins they are sealed to. */
  isSameAs(other: ApiKey): boolean {
    return this.#value === other.#value;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return placeholder;
  }
}
