import type { Duplex } from "node:stream";

const headEnd = "\r\n\r\n";
const continueHead = /^HTTP\/1\.[01] 100\b/;

/**
 * Takes a `100 Continue` that nobody asked for out of what a connection reads: undici ends the connection at one. A
 * client has to be able to read it and go on (RFC 9110, section 15.2).
 */
export function skipUnaskedContinue(socket: Duplex): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk) || !continueHead.test(chunk.toString("latin1", 0, 12))) return chunk;
    const end = chunk.indexOf(headEnd);
    if (end === -1) return chunk;
    const rest = chunk.subarray(end + headEnd.length);
    return rest.length === 0 ? socket.read(size) : rest;
  };
}
