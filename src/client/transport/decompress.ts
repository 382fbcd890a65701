import { once } from "node:events";
import { pipeline, type Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { FailureError } from "../failure/failure.ts";

const { constants } = zlib;

/** Maximum number of codings. Real bodies have fewer, and each needs a memory window. */
const maxCodings = 3;

/**
 * Removes the content codings of a body (RFC 9110, section 8.4). Requests ask for none, because codings delay tokens,
 * but some gateways compress anyway. Yields each piece as soon as it is decoded. A body with an unknown coding or too
 * many codings is returned unchanged.
 */
export function decompress(body: Readable, coding = ""): AsyncIterable<Uint8Array> {
  const names = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length === 0 || names.length > maxCodings) return readToBreak(body);
  if (!names.every(isKnown)) return readToBreak(body);
  // Decode in reverse order of encoding.
  return readDecoded(body, names.toReversed());
}

/** Reads at least two bytes of a body and puts them back. Returns undefined if the body is shorter. */
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
    // The next read reports the error of a broken body.
    if (body.readableEnded || body.destroyed) break;
    await Promise.race([once(body, "readable"), once(body, "end")]).catch(() => undefined);
  }
  const start = Buffer.concat(pieces);
  if (length > 0 && !body.readableEnded && !body.destroyed) body.unshift(start);
  return length < 2 ? undefined : start;
}

/**
 * Whether the data has a zlib header (RFC 1950, section 2.2). `deflate` means zlib, but some servers send raw deflate.
 */
function hasZlibHead([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/**
 * Reads a body to its end or to an error.
 * @throws errors of the body
 */
async function* readToBreak(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    // On an error, Node's iterator drops the bytes that were not read yet.
    const rest: unknown = body.read();
    if (rest instanceof Uint8Array) yield rest;
    throw error;
  }
}

/** @throws FailureError `unreadable` if the body violates its coding; otherwise errors of the body */
async function* readDecoded(
  body: Readable,
  names: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const start = names[0] === "deflate" ? await peek(body) : undefined;
  const decoders = names.flatMap((name) => createDecoder(name, start) ?? []);
  const last = decoders.at(-1);
  if (last === undefined) return;
  // An error on one side destroys the other side too. Only the order of events shows which side failed first.
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
    // The callback receives errors of both sides; the reader of `last` gets them too.
    pipeline([body, ...decoders], () => undefined);
    yield* last;
  } catch (error) {
    if (!isSpoiled) throw error;
    throw new FailureError({ kind: "unreadable", bodyKind: "malformed" });
  }
}

/** Whether the body ended before its coding was complete. */
function isCutShort(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR";
}

function isKnown(coding: string): boolean {
  if (coding === "zstd") return "createZstdDecompress" in zlib;
  return ["gzip", "x-gzip", "deflate", "br"].includes(coding);
}

/** @param start the first bytes, if this coding is decoded first */
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
      // Available since Node 22.15.
      return "createZstdDecompress" in zlib ? zlib.createZstdDecompress() : undefined;
    default:
      return undefined;
  }
}
