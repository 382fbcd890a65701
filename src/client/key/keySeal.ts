import * as v from "valibot";
import { InferenceError } from "../failure/failure.ts";
import type { ServiceAddress } from "../http/address.ts";

/**
 * The origin (scheme, host and port) that a key may be sent to. It is a class, so that it cannot be compared with
 * unrelated strings.
 */
export class KeySeal {
  /** Reads a seal from `stored`, written by this or an earlier version. */
  static readonly schema = v.pipe(
    v.string(),
    v.transform((text) => new KeySeal(text)),
  );

  /** For a key that is never sent, only searched for in texts. */
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

  /**
   * @param variable the environment variable of the secret, if it is not the connection's key
   * @throws InferenceError `key-seal`, if the seals differ
   */
  requireSame(other: KeySeal, variable?: string): void {
    if (!this.isSameAs(other)) throw this.#refuse(other.toString(), variable);
  }

  /** @throws InferenceError `key-seal`, if a request to the URL may not carry the key */
  requireCovers(url: URL): void {
    if (url.origin !== this.#place) throw this.#refuse(url.origin);
  }

  #refuse(refusedTo: string, variable?: string): InferenceError {
    return new InferenceError({
      kind: "key-seal",
      sealedTo: this.toString(),
      refusedTo,
      ...(variable === undefined ? {} : { variable }),
    });
  }

  get stored(): string {
    return this.#place;
  }

  get host(): string {
    return URL.parse(this.#place)?.host ?? this.#place;
  }

  /** Returns the origin for display. */
  toString(): string {
    return this.#place;
  }
}
