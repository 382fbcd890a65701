/** One way to read a streamed answer from loopback, in its own process. */
import { setTimeout as wait } from "node:timers/promises";
import OpenAI from "openai";
import { request as undiciRequest } from "undici";
import { createUndiciTransport } from "../../src/client/undiciTransport.ts";
import { answerLimits } from "../../src/client/timeLimits.ts";
import { serveRuns, type Run } from "./contenders.ts";
import { createBenchClient } from "./inMemoryClient.ts";

const [, , name = "", origin = "", repeats = ""] = process.argv;
const url = new URL("/v1/chat/completions", origin);
const body = JSON.stringify({ model: "service-core", messages: [], stream: true });
const headers = { "content-type": "application/json" };
const signal = new AbortController().signal;
const transport = createUndiciTransport({ strictCertificates: true });
const client = createBenchClient(origin, transport);

/** Calls back at each piece, with its size. */
type Read = (onPiece: (size: number) => void) => Promise<void>;

const ways: Readonly<Record<string, Read>> = {
  "our transport": async (onPiece) => {
    const response = await transport.send({ method: "POST", url, headers, body }, answerLimits, signal);
    for await (const bytes of response.body) onPiece(bytes.length);
  },
  "our client, to text": async (onPiece) => {
    const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };
    for await (const parts of client.streamChat("chat-completions", request, signal)) onPiece(parts.length);
  },
  "undici.request": async (onPiece) => {
    const response = await undiciRequest(url, { method: "POST", headers, body });
    for await (const bytes of response.body) onPiece(bytes.length);
  },
  "Node's fetch": async (onPiece) => {
    const response = await fetch(url, { method: "POST", headers, body });
    for await (const bytes of response.body ?? []) onPiece(bytes.length);
  },
  "openai, to text": async (onPiece) => {
    const openai = new OpenAI({ apiKey: "test-not-a-key", baseURL: `${origin}/v1` });
    const stream = await openai.chat.completions.create({
      model: "service-core",
      messages: [],
      stream: true,
    });
    for await (const chunk of stream) onPiece(chunk.choices.length);
  },
};

const read = ways[name];
if (read === undefined) throw new Error(`No way is called ${name}`);

/** Milliseconds in which both sides have done with an answer; nobody asks again before that. */
const pause = 10;

/** Several answers a run, since one is over in a few milliseconds. */
serveRuns(async () => {
  let firstByte = 0;
  let whole = 0;
  for (let index = 0; index < Number(repeats); index += 1) {
    await wait(pause);
    const run = await readOnce(read);
    firstByte += run["firstByte"] ?? Number.NaN;
    whole += run["whole"] ?? Number.NaN;
  }
  return { firstByte: firstByte / Number(repeats), whole: whole / Number(repeats) };
});

async function readOnce(way: Read): Promise<Run> {
  const started = performance.now();
  let first: number | undefined;
  await way(() => {
    first ??= performance.now() - started;
  });
  if (first === undefined) throw new Error(`${name} read nothing`);
  return { firstByte: first, whole: performance.now() - started };
}
