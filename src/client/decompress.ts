import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/**
 * A body without its content coding (RFC 9110, section 8.4.1). None is asked for, since every
 * coding holds tokens back, yet some gateways compress all the same. Each piece is handed on as
 * soon as it can be read. An unknown coding is left as it is.
 */
export function decompress(body: Readable, coding: string | undefined): AsyncIterable<Uint8Array> {
  const decoder = createDecoder(coding?.trim().toLowerCase());
  if (decoder === undefined) return body;
  // The callback is where an error of either side ends up; the reader of `decoder` sees it too.
  return pipeline(body, decoder, () => undefined);
}

function createDecoder(coding: string | undefined) {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip({ flush: constants.Z_SYNC_FLUSH });
    case "deflate":
      return createInflate({ flush: constants.Z_SYNC_FLUSH });
    case "br":
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
