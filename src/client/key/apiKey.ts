import { InferenceError } from "../failure/failure.ts";
import type { Failure } from "../failure/failure.ts";
import { KeyPieces } from "./keyPieces.ts";
import type { KeySeal } from "./keySeal.ts";
import { KeyText } from "./keyText.ts";
import type { KeyRange } from "./keyText.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";

/** What may stand in a header and in a key: visible ASCII, no blank (wire.md, "Keys"). */
const visibleAscii = /^[\x21-\x7e]+$/;

const placeholder = "[API key]";
/** A key of fewer characters would be found in every second word. */
const minSearchedLength = 8;

/**
 * A private API key with its seal. It can be turned into a header for a URL that the seal covers, and into nothing
 * else: printed, logged or serialised it is a placeholder.
 */
export class ApiKey {
  readonly #value: string;
  #pieces: KeyPieces | undefined;
  #text: KeyText | undefined;
  readonly seal: KeySeal;

  /**
   * @param value the cleaned key
   * @param seal the place it may be sent to
   * @throws InferenceError `key`, where the value could not be sent as a header
   */
  constructor(value: string, seal: KeySeal) {
    if (value === "") throw new InferenceError({ kind: "key", cause: "empty-key" });
    if (!visibleAscii.test(value)) throw new InferenceError({ kind: "key", cause: "malformed-key" });
    this.#value = value;
    this.seal = seal;
  }

  /**
   * The value of the `Authorization` header (specification, section 5.1).
   * @throws InferenceError `key-seal`, if the seal does not cover the URL
   */
  authorizationFor(url: URL): string {
    this.seal.requireCovers(url);
    return `Bearer ${this.#value}`;
  }

  /**
   * What a service says about itself (errors, headers, IDs, names of models), with `[API key]` in the place of this key
   * and of its pieces, in whatever form (`keyPieces.ts`). Not for answers: there a piece is more often the user's own
   * code. For those, and for all that the user wrote, there is `wholeKeysIn`.
   */
  redactServiceText(text: string): string {
    if (this.#value.length < minSearchedLength) return text.replaceAll(this.#value, placeholder);
    this.#pieces ??= new KeyPieces(this.#value);
    return this.#pieces.replaceIn(text, placeholder);
  }

  /**
   * Where this key stands as a whole in an answer, or in a text of the user's: as it is, or as JSON writes it. Takes time
   * linear in the text. For what a service says about itself there is `redactServiceText`.
   */
  wholeKeysIn(text: string): readonly KeyRange[] {
    return this.#value.length < minSearchedLength ? [] : this.#textOfKey.rangesIn(text);
  }

  /** Characters of this key's start that a text ends with, without the whole key; 0 where there are none. */
  startAtEndOf(text: string): number {
    return this.#value.length < minSearchedLength ? 0 : this.#textOfKey.startAtEndOf(text);
  }

  get #textOfKey(): KeyText {
    return (this.#text ??= new KeyText(this.#value));
  }

  /** Whether both are one key, whatever their seals. */
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

/** The failure with the key and its pieces taken out of every text of the server's, should it have said them back. */
export function redactKey(failure: Failure, key: ApiKey): Failure {
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
    case "address":
    case "cancelled":
    case "unknown":
      // Made here, from codes and names of the network's; no text of a server is in them.
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
