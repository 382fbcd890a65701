import { FailureError } from "../failure/failure.ts";
import type { BodyKind } from "../failure/failure.ts";

/** Maximum number of bytes stored of the body of a rejection. */
export const maxErrorBytes = 64 * 1024;
/** Maximum number of bytes of an answer or model list that is one JSON value. */
export const maxJsonBytes = 8 * 1024 * 1024;
/** Maximum number of bytes of all pages of a model list. */
export const maxListBytes = 32 * 1024 * 1024;
/** Maximum number of bytes of a stream: enough for the events of a million tokens. */
export const maxStreamBytes = 256 * 1024 * 1024;
/** Maximum number of characters in the text and reasoning of a streamed answer. */
export const maxAnswerCharacters = 16 * 1024 * 1024;
/** Maximum number of bytes in a stream without a part of the answer, such as comments and empty lines. */
export const maxBarrenBytes = 16 * 1024 * 1024;
/** Maximum number of bytes after the end of a stream, which may contain the usage. */
export const maxRestBytes = 1024 * 1024;
/** Maximum number of characters stored of a body that is not JSON, for the diagnosis. */
export const maxBodyStart = 2048;

export interface BoundedBody {
  readonly bytes: Uint8Array;
  /** Whether the body exceeds the limit; the rest was not read. */
  readonly truncated: boolean;
}

/** Reads a body up to a limit in bytes, then stops. Rejects with any error of the body. */
export async function readBody(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<BoundedBody> {
  const collector = new ByteCollector(limit);
  for await (const chunk of chunks) {
    if (!collector.add(chunk)) return { bytes: collector.bytes(), truncated: true };
  }
  return { bytes: collector.bytes(), truncated: false };
}

/**
 * Reads a body until its end, the limit in bytes, or an error. Never throws: the status of a rejected request is known
 * already, so part of the body is enough.
 */
export async function readStart(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const collector = new ByteCollector(limit);
  try {
    for await (const chunk of chunks) {
      if (!collector.add(chunk)) break;
    }
  } catch {
    // Use the bytes received so far.
  }
  return collector.bytes();
}

/** A limit in bytes that several bodies share. */
export class ByteBudget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Yields a body. Throws FailureError `unreadable` when the budget is exceeded. */
  async *spend(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      this.#left -= chunk.length;
      if (this.#left < 0) throw new FailureError({ kind: "unreadable", bodyKind: "too-large" });
      yield chunk;
    }
  }
}

/** Collects pieces of a body up to a limit in bytes. */
export class ByteCollector {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a piece, truncated to the limit. Returns false if the limit is exceeded. */
  add(piece: Uint8Array): boolean {
    const fits = this.#length + piece.length <= this.#limit;
    const kept = fits ? piece : piece.subarray(0, this.#limit - this.#length);
    this.#pieces.push(kept);
    this.#length += kept.length;
    return fits;
  }

  get length(): number {
    return this.#length;
  }

  bytes(): Uint8Array {
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }
}

const decoder = new TextDecoder();

/** Decodes UTF-8, with or without BOM. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns the kind of a text by its first character. The text may be incomplete. */
export function kindOfText(text: string): BodyKind {
  const start = text.trimStart();
  if (start === "") return "empty";
  if (start.startsWith("<")) return "html";
  return start.startsWith("{") || start.startsWith("[") ? "json" : "text";
}

/**
 * Whether invalid JSON may be the start of truncated JSON. It begins like JSON, does not end like JSON, and has
 * unclosed brackets.
 */
export function isCutJson(text: string): boolean {
  if (kindOfText(text) !== "json" || /[}\]]\s*$/.test(text)) return false;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return false;
  }
  return true;
}

/** Returns the start of a body for the diagnosis; absent if it is empty. */
export function startOf(text: string): { readonly bodyStart?: string } {
  const start = text.trim().slice(0, maxBodyStart);
  return start === "" ? {} : { bodyStart: start };
}

/** The kind of an answer by its first characters, because its content type is unreliable. */
export type AnswerKind = "events" | "json" | "html" | "text";

const fieldNames = ["data:", "event:", "id:", "retry:", "error:", ":"];

/**
 * Returns the kind of an answer, or undefined if more of it is needed.
 *
 * @param head the start, without leading whitespace
 * @param labelledEvents whether the content type is an event stream
 */
export function answerKindOf(head: string, labelledEvents: boolean): AnswerKind | undefined {
  if (head === "") return undefined;
  if (head.startsWith("{") || head.startsWith("[")) return "json";
  if (head.startsWith("<")) return "html";
  if (labelledEvents || startsWithField(head)) return "events";
  return fieldNames.some((name) => name.startsWith(head)) ? undefined : "text";
}

/** Whether a text begins like a line of an event stream. */
export function startsWithField(head: string): boolean {
  return fieldNames.some((name) => head.startsWith(name));
}

/** Returns the number of leading bytes that are whitespace or a byte order mark. */
export function blankPrefixLength(bytes: Uint8Array): number {
  const end = bytes.findIndex((byte) => !blankBytes.has(byte));
  return end === -1 ? bytes.length : end;
}

const blankBytes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
