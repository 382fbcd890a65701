import { FailureError } from "../failure/failure.ts";
import type { BodyKind } from "../failure/failure.ts";

/** What is kept of the body of a refusal. */
export const maxErrorBytes = 64 * 1024;
/** What is read of an answer, or a model list, that is one piece of JSON. */
export const maxJsonBytes = 8 * 1024 * 1024;
/** What is read of all pages of a model list. */
export const maxListBytes = 32 * 1024 * 1024;
/** What is read of a stream: a million tokens at the size of their events. */
export const maxStreamBytes = 256 * 1024 * 1024;
/** What is kept of a streamed answer's text and reasoning; characters. */
export const maxAnswerCharacters = 16 * 1024 * 1024;
/** What is read of a stream without any part in it, such as comments and blank lines. */
export const maxBarrenBytes = 16 * 1024 * 1024;
/** What is read behind a stream's own end, where the count of its tokens may come. */
export const maxRestBytes = 1024 * 1024;
/** What is kept of a body that is not JSON, to be able to say what it is; characters. */
export const maxBodyStart = 2048;

export interface BoundedBody {
  readonly bytes: Uint8Array;
  /** There was more than the limit; it was not read. */
  readonly truncated: boolean;
}

/**
 * Reads a body up to a limit in bytes, and leaves it there. Rejects with whatever the body rejects
 * with.
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<BoundedBody> {
  const collector = new ByteCollector(limit);
  for await (const chunk of chunks) {
    if (!collector.add(chunk)) return { bytes: collector.bytes(), truncated: true };
  }
  return { bytes: collector.bytes(), truncated: false };
}

/**
 * What of a body comes before its end, the limit or its breaking off: enough to say no by, since the
 * status has said it already. Never rejects.
 */
export async function readStart(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const collector = new ByteCollector(limit);
  try {
    for await (const chunk of chunks) {
      if (!collector.add(chunk)) break;
    }
  } catch {
    // What came stays.
  }
  return collector.bytes();
}

/** What several bodies may come to together, in bytes. */
export class ByteBudget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  /** Hands a body on; throws `unreadable` once there is more than the budget has. */
  async *spend(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      this.#left -= chunk.length;
      if (this.#left < 0) throw new FailureError({ kind: "unreadable", bodyKind: "too-large" });
      yield chunk;
    }
  }
}

/** Gathers pieces of a body up to a limit in bytes. */
export class ByteCollector {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False once there is more than the limit; the piece is cut to fit. */
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

/** UTF-8, with or without BOM; bytes that are none become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** What a text is by its first character; it need not be whole. */
export function kindOfText(text: string): BodyKind {
  const start = text.trimStart();
  if (start === "") return "empty";
  if (start.startsWith("<")) return "html";
  return start.startsWith("{") || start.startsWith("[") ? "json" : "text";
}

/**
 * Whether a text that is no JSON may be the beginning of some: it begins like it, does not end so, and not all that it
 * opens is closed.
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

/** The beginning of a body, for the diagnosis; absent where there is none. */
export function startOf(text: string): { readonly bodyStart?: string } {
  const start = text.trim().slice(0, maxBodyStart);
  return start === "" ? {} : { bodyStart: start };
}

/** What an answer is by its first characters; its label is not to be trusted. */
export type AnswerKind = "events" | "json" | "html" | "text";

const fieldNames = ["data:", "event:", "id:", "retry:", "error:", ":"];

/**
 * Names the kind of an answer, or undefined while more of it is needed.
 *
 * @param head the beginning, without blanks in front
 * @param labelledEvents whether the answer calls itself an event stream
 */
export function answerKindOf(head: string, labelledEvents: boolean): AnswerKind | undefined {
  if (head === "") return undefined;
  if (head.startsWith("{") || head.startsWith("[")) return "json";
  if (head.startsWith("<")) return "html";
  if (labelledEvents || startsWithField(head)) return "events";
  return fieldNames.some((name) => name.startsWith(head)) ? undefined : "text";
}

/** Whether a text begins as a line of an event stream does. */
export function startsWithField(head: string): boolean {
  return fieldNames.some((name) => head.startsWith(name));
}

/** How many bytes at the beginning are blanks, line ends or a byte order mark. */
export function blankPrefixLength(bytes: Uint8Array): number {
  const end = bytes.findIndex((byte) => !blankBytes.has(byte));
  return end === -1 ? bytes.length : end;
}

const blankBytes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
