/** Measures one way to read a streamed answer from loopback, in its own process. */
import { setTimeout as wait } from "node:timers/promises";
import { request as undiciRequest } from "undici";
import { answerLimits } from "../../src/client/http/transport.ts";
import { createChatTransport } from "./chatTransport.ts";
import { serveRuns, type Run } from "./contenders.ts";
import { bytesOfAnswer } from "./streamedAnswer.ts";

const [, , name = "", origin = "", repeats = "", events = ""] = process.argv;
const url = new URL("/v1/chat/completions", origin);
const body = JSON.stringify({ model: "service-core", messages: [], stream: true });
const headers = { "content-type": "application/json" };
const signal = new AbortController().signal;
const transport = createChatTransport();
const bytes = bytesOfAnswer("chat-completions", Number(events));

/** Calls back with the number of bytes of each piece. */
type Way = (onPiece: (size: number) => void) => Promise<void>;

const ways: Readonly<Record<string, Way>> = {
  "our transport": async (onPiece) => {
    const message = { method: "POST", url, headers, body } as const;
    const response = await transport.send(message, answerLimits, signal);
    for await (const piece of response.body) onPiece(piece.length);
  },
  "undici.request": async (onPiece) => {
    const response = await undiciRequest(url, { method: "POST", headers, body });
    for await (const piece of response.body) onPiece(piece.length);
  },
  "Node's fetch": async (onPiece) => {
    const response = await fetch(url, { method: "POST", headers, body });
    for await (const piece of response.body ?? []) onPiece(piece.length);
  },
};

const way = ways[name];
if (way === undefined) throw new Error(`Unknown way to read: ${name}`);

/** Milliseconds to wait before each request, in which client and service finish the previous answer. */
const pause = 10;

/** Several answers per run: one takes only a few milliseconds. */
serveRuns(async () => {
  let firstByte = 0;
  let whole = 0;
  for (let index = 0; index < Number(repeats); index += 1) {
    await wait(pause);
    const run = await readOnce(way);
    firstByte += run["firstByte"] ?? Number.NaN;
    whole += run["whole"] ?? Number.NaN;
  }
  return { firstByte: firstByte / Number(repeats), whole: whole / Number(repeats) };
});

async function readOnce(read: Way): Promise<Run> {
  const started = performance.now();
  let first: number | undefined;
  let size = 0;
  await read((of) => {
    first ??= performance.now() - started;
    size += of;
  });
  const took = performance.now() - started;
  if (first === undefined || size !== bytes) throw new Error(`${name} read ${size} of ${bytes}`);
  return { firstByte: first, whole: took };
}
