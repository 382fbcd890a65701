import { InferenceError } from "../failure/failure.ts";
import type { Failure } from "../failure/failure.ts";
import { KeyPieces } from "./keyPieces.ts";
import type { KeySeal } from "./keySeal.ts";
import { KeyText } from "./keyText.ts";
import type { KeyRange } from "./keyText.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";

/** Matches characters allowed in a header and in a key: visible ASCII without space (wire.md, "Keys"). */
const visibleAscii = /^[\x21-\x7e]+$/;

const placeholder = "[API key]";
/** Shorter keys are only replaced as a whole in texts of the service. Elsewhere they would match ordinary words. */
const minSearchedLength = 8;

/** The headers that requests carry for a connection, and how to remove their secrets from texts. */
export interface RequestSecrets {
  /** @throws InferenceError `key-seal`, if a seal does not cover the URL */
  headersFor(url: URL): Readonly<Record<string, string>>;
  /** Replaces the secrets in a text of the service about itself. See `ApiKey.redactServiceText`. */
  redactServiceText(text: string): string;
}

/**
 * A private API key with its seal. The key is only readable as a header for a URL that the seal covers. Printing,
 * logging or serializing it gives a placeholder.
 */
export class ApiKey implements RequestSecrets {
  readonly #value: string;
  #pieces: KeyPieces | undefined;
  #text: KeyText | undefined;
  readonly seal: KeySeal;

  /**
   * @param value the cleaned key
   * @param seal the origin that the key may be sent to
   * @throws InferenceError `key`, if no header can contain the value
   */
  constructor(value: string, seal: KeySeal) {
    if (value === "") throw new InferenceError({ kind: "key", cause: "empty-key" });
    if (!visibleAscii.test(value)) throw new InferenceError({ kind: "key", cause: "malformed-key" });
    this.#value = value;
    this.seal = seal;
  }

  /**
   * Returns the value of the `Authorization` header (specification, section 5.1).
   * @throws InferenceError `key-seal`, if the seal does not cover the URL
   */
  authorizationFor(url: URL): string {
    this.seal.requireCovers(url);
    return `Bearer ${this.#value}`;
  }

  /** Returns the headers of a request with only this key. */
  headersFor(url: URL): Readonly<Record<string, string>> {
    return { authorization: this.authorizationFor(url) };
  }

  /**
   * Returns the plain value, for a header that the user has named.
   * @throws InferenceError `key-seal`, if the seal does not cover the URL
   */
  valueFor(url: URL): string {
    this.seal.requireCovers(url);
    return this.#value;
  }

  /**
   * Replaces this key and its pieces in any form (`keyPieces.ts`) by `[API key]`. For texts of the service about
   * itself: errors, headers, IDs, model names. Not for answers and the user's texts: a piece there is more likely code.
   * Use `wholeKeysIn` for those.
   */
  redactServiceText(text: string): string {
    if (this.#value.length < minSearchedLength) return text.replaceAll(this.#value, placeholder);
    this.#pieces ??= new KeyPieces(this.#value);
    return this.#pieces.replaceIn(text, placeholder);
  }

  /**
   * Returns the ranges of the whole key, plain or JSON-encoded, in an answer or a text of the user. Takes linear time.
   * For texts of the service about itself, use `redactServiceText`.
   */
  wholeKeysIn(text: string): readonly KeyRange[] {
    return this.#value.length < minSearchedLength ? [] : this.#textOfKey.rangesIn(text);
  }

  /** Returns how many characters at the end of a text match the start of this key. Does not count a whole key. */
  startAtEndOf(text: string): number {
    return this.#value.length < minSearchedLength ? 0 : this.#textOfKey.startAtEndOf(text);
  }

  get #textOfKey(): KeyText {
    return (this.#text ??= new KeyText(this.#value));
  }

  /** Whether both keys are equal, regardless of their seals. */
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

/** Returns the failure without the secrets and their pieces in texts of the service, which may have echoed them. */
export function redactKey(failure: Failure, key: RequestSecrets): Failure {
  const clean = (text: string): string => key.redactServiceText(text);
  const cleaned = cleanTexts(failure, clean);
  return "requestId" in cleaned
    ? { ...cleaned, ...cleanField("requestId", cleaned.requestId, clean) }
    : cleaned;
}

function cleanTexts(failure: Failure, clean: (text: string) => string): Failure {
  switch (failure.kind) {
    case "refused":
      return {
        ...failure,
        error: cleanError(failure.error, clean),
        ...cleanField("bodyStart", failure.bodyStart, clean),
        ...cleanField("server", failure.server, clean),
      };
    case "stream-error":
      return { ...failure, error: cleanError(failure.error, clean) };
    case "unreadable":
      return { ...failure, ...cleanField("bodyStart", failure.bodyStart, clean) };
    case "filtered":
      return {
        ...failure,
        wireReason: clean(failure.wireReason),
        ...cleanField("explanation", failure.explanation, clean),
      };
    case "redirect":
      return { ...failure, ...cleanField("location", failure.location, clean) };
    case "interrupted":
    case "network":
    case "tls":
    case "proxy":
    case "timeout":
    case "key":
    case "key-seal":
    case "header":
    case "address":
    case "cancelled":
    case "unknown":
      // These failures are created locally from codes and network names. They contain no text of a server.
      return failure;
  }
}

function cleanError(error: ErrorBody, clean: (text: string) => string): ErrorBody {
  return {
    ...error,
    ...cleanField("type", error.type, clean),
    ...cleanField("code", error.code, clean),
    ...cleanField("message", error.message, clean),
    ...cleanField("param", error.param, clean),
    ...cleanField("requestId", error.requestId, clean),
  };
}

function cleanField<Name extends string>(
  name: Name,
  text: string | undefined,
  clean: (text: string) => string,
): Partial<Record<Name, string>> {
  const field: Partial<Record<string, string>> = text === undefined ? {} : { [name]: clean(text) };
  return field;
}
