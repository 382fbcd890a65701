import * as v from "valibot";
import { InferenceError } from "../failure/failure.ts";
import type { ServiceAddress } from "../http/address.ts";

/** Scheme, host and port that a key may be sent to. A class, since strings of other meaning could be compared with a string. */
export class KeySeal {
  /** Reads a seal that `stored` has written, in this version or an earlier one. */
  static readonly schema = v.pipe(
    v.string(),
    v.transform((text) => new KeySeal(text)),
  );

  /** For a key that is only searched for in texts. */
  static readonly nowhere = new KeySeal("");

  readonly #place: string;

  private constructor(place: string) {
    this.#place = place;
  }

  static of({ base }: ServiceAddress): KeySeal {
    return new KeySeal(new URL(base).origin);
  }

  isSameAs(other: KeySeal): boolean {
    return this.#place === other.#place;
  }

  /** @throws InferenceError `key-seal`, if the two differ */
  requireSame(other: KeySeal): void {
    if (!this.isSameAs(other)) throw this.#refuse(other.toString());
  }

  /** @throws InferenceError `key-seal`, if a request to the URL may not carry the key */
  requireCovers(url: URL): void {
    if (url.origin !== this.#place) throw this.#refuse(url.origin);
  }

  #refuse(refusedTo: string): InferenceError {
    return new InferenceError({ kind: "key-seal", sealedTo: this.toString(), refusedTo });
  }

  get stored(): string {
    return this.#place;
  }

  get host(): string {
    return URL.parse(this.#place)?.host ?? this.#place;
  }

  /** As people read it. */
  toString(): string {
    return this.#place;
  }
}
