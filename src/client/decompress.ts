import { pipeline, type Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { InferenceError } from "./failure.ts";

const { constants } = zlib;

/** Nobody codes a body more often; each coding costs a window of memory. */
const mostCodings = 3;

/**
 * A body without its content codings (RFC 9110, section 8.4). None is asked for, since every
 * coding holds tokens back, yet some gateways compress all the same. Each piece is handed on as
 * soon as it can be read. A body with an unknown coding is left as it is.
 */
export function decompress(body: Readable, coding = ""): AsyncIterable<Uint8Array> {
  const names = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length === 0 || names.length > mostCodings) return readToBreak(body);
  const decoders: Transform[] = [];
  // The last that was applied is the first to be undone.
  for (const name of names.toReversed()) {
    const decoder = createDecoder(name);
    if (decoder === undefined) return readToBreak(body);
    decoders.push(decoder);
  }
  return readDecoded(body, decoders);
}

/**
 * Reads a body to its end, or to where it breaks.
 * @throws what the body throws
 */
async function* readToBreak(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    // Node's iterator drops the bytes that it has not read when an error comes.
    const rest: unknown = body.read();
    if (rest instanceof Uint8Array) yield rest;
    throw error;
  }
}

/** @throws InferenceError `unreadable` where the body is not what its coding says; else what the body throws */
async function* readDecoded(
  body: Readable,
  decoders: readonly Transform[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const last = decoders.at(-1);
  if (last === undefined) return;
  // An error of one side destroys the other side with it: where it began is seen only in the order they tell of it.
  let hasBodyFailed = false;
  let isSpoiled = false;
  body.once("error", () => {
    hasBodyFailed = true;
  });
  for (const decoder of decoders) {
    decoder.once("error", (error) => {
      isSpoiled ||= !hasBodyFailed && !isCutShort(error);
    });
  }
  try {
    // The callback is where an error of either side ends up; the reader of the last sees it too.
    pipeline([body, ...decoders], () => undefined);
    yield* last;
  } catch (error) {
    if (!isSpoiled) throw error;
    throw new InferenceError({ kind: "unreadable", bodyKind: "malformed" });
  }
}

/** The body ended in the middle of its coding. */
function isCutShort(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR";
}

function createDecoder(coding: string): Transform | undefined {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip({ flush: constants.Z_SYNC_FLUSH });
    case "deflate":
      return zlib.createInflate({ flush: constants.Z_SYNC_FLUSH });
    case "br":
      return zlib.createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      // Node has it since 22.15.
      return "createZstdDecompress" in zlib ? zlib.createZstdDecompress() : undefined;
    default:
      return undefined;
  }
}
