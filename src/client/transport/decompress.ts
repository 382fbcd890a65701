import { once } from "node:events";
import { pipeline, type Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { FailureError } from "../failure/failure.ts";

const { constants } = zlib;

/** Nobody codes a body more often; each coding costs a window of memory. */
const maxCodings = 3;

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
  if (names.length === 0 || names.length > maxCodings) return readToBreak(body);
  if (!names.every(isKnown)) return readToBreak(body);
  // The last that was applied is the first to be undone.
  return readDecoded(body, names.toReversed());
}

/** Reads at least two bytes of a body and puts them back; undefined if the body has fewer. */
async function peek(body: Readable): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const piece: unknown = body.read();
    if (piece instanceof Uint8Array) {
      pieces.push(piece);
      length += piece.length;
      continue;
    }
    // The next reader gets the error of a broken body.
    if (body.readableEnded || body.destroyed) break;
    await Promise.race([once(body, "readable"), once(body, "end")]).catch(() => undefined);
  }
  const start = Buffer.concat(pieces);
  if (length > 0 && !body.readableEnded && !body.destroyed) body.unshift(start);
  return length < 2 ? undefined : start;
}

/** Some servers call a bare deflate stream `deflate`, which is the name of one in a zlib head (RFC 1950, section 2.2). */
function hasZlibHead([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
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

/** @throws FailureError `unreadable` where the body is not what its coding says; else what the body throws */
async function* readDecoded(
  body: Readable,
  names: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const start = names[0] === "deflate" ? await peek(body) : undefined;
  const decoders = names.flatMap((name) => createDecoder(name, start) ?? []);
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
    throw new FailureError({ kind: "unreadable", bodyKind: "malformed" });
  }
}

/** The body ended in the middle of its coding. */
function isCutShort(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR";
}

function isKnown(coding: string): boolean {
  if (coding === "zstd") return "createZstdDecompress" in zlib;
  return ["gzip", "x-gzip", "deflate", "br"].includes(coding);
}

/** @param start the first bytes, where the coding is the first to be undone */
function createDecoder(coding: string, start?: Uint8Array): Transform | undefined {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip({ flush: constants.Z_SYNC_FLUSH });
    case "deflate":
      return start === undefined || hasZlibHead(start)
        ? zlib.createInflate({ flush: constants.Z_SYNC_FLUSH })
        : zlib.createInflateRaw({ flush: constants.Z_SYNC_FLUSH });
    case "br":
      return zlib.createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      // Node has it since 22.15.
      return "createZstdDecompress" in zlib ? zlib.createZstdDecompress() : undefined;
    default:
      return undefined;
  }
}
