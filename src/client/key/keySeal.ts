import * as v from "valibot";
import { InferenceError } from "../failure/failure.ts";
import { isLoopback, type ServiceAddress } from "../http/address.ts";

/**
 * The origin (scheme, host and port) that a key may be sent to. On another machine than the user's computer, the seal
 * of a loopback host names the machine too. It is a class, so that it cannot be compared with unrelated strings.
 */
export class KeySeal {
  /** Reads a seal from `stored`, written by this or an earlier version. */
  static readonly schema = v.pipe(
    v.string(),
    v.transform((text) => new KeySeal(text)),
  );

  /** For a key that is never sent, only searched for in texts. */
  static readonly nowhere = new KeySeal("");

  static #machine: string | undefined;

  readonly #place: string;

  private constructor(place: string) {
    this.#place = place;
  }

  static of({ base }: ServiceAddress): KeySeal {
    return new KeySeal(KeySeal.#placeOf(new URL(base)));
  }

  /**
   * Names the machine that loopback hosts mean, if it is not the user's own computer. Each machine has other services
   * there. Call this before the first seal is made.
   */
  static nameMachine(name: string | undefined): void {
    KeySeal.#machine = name;
  }

  static #placeOf({ origin, hostname }: URL): string {
    const machine = KeySeal.#machine;
    return machine === undefined || !isLoopback(hostname) ? origin : `${origin} (${machine})`;
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
    const place = KeySeal.#placeOf(url);
    if (place !== this.#place) throw this.#refuse(place);
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

  /** Returns the origin for display, with the machine if there is one. */
  toString(): string {
    return this.#place;
  }
}
