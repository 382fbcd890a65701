import type { GoodBody } from "./goodAnswers.ts";
import type { Line } from "./line.ts";

type HeaderLines = Readonly<Record<string, string | number>>;

/** The head of an answer as sent on the wire. */
export function headOf(status: number | string, headers: HeaderLines = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}

/** A head for a chunked body. */
export function chunkedHead(body: Pick<GoodBody, "contentType">, more: HeaderLines = {}): string {
  return headOf("200 OK", { "content-type": body.contentType, "transfer-encoding": "chunked", ...more });
}

/** A head for a body of this length in bytes. */
export function sizedHead(body: GoodBody, length = body.bytes.length, more: HeaderLines = {}): string {
  return headOf("200 OK", { "content-type": body.contentType, "content-length": length, ...more });
}

/** A head without a length or chunks: the end of the connection ends the body. */
export function openHead(contentType: string, more: HeaderLines = {}): string {
  return headOf("200 OK", { "content-type": contentType, connection: "close", ...more });
}

export function chunkOf(bytes: string | Uint8Array): Buffer {
  const content = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n")]);
}

export const lastChunk = "0\r\n\r\n";

/** Sends the whole correct answer. */
export async function sendGood(line: Line, body: GoodBody): Promise<void> {
  await line.send(sizedHead(body));
  await line.send(body.bytes);
}

/** Sends the given content with its length. */
export async function sendAnswer(
  line: Line,
  status: number | string,
  content: string | Uint8Array,
  headers: HeaderLines = {},
): Promise<void> {
  const bytes = Buffer.from(content);
  await line.send(
    headOf(status, { "content-type": "application/json", "content-length": bytes.length, ...headers }),
  );
  await line.send(bytes);
}
