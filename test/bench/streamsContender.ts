/**
 * Reads `count` streamed answers from loopback to their text, in its own process. `name` is the number of answers to
 * read at once. `bare` reads all answers at once, as bytes only.
 */
import { request as undiciRequest } from "undici";
import { createChatTransport } from "./chatTransport.ts";
import { serveRuns } from "./contenders.ts";
import { createBenchClient } from "./inMemoryClient.ts";
import { bytesOfAnswer } from "./streamedAnswer.ts";

const [, , name = "", origin = "", count = "", events = ""] = process.argv;
const signal = new AbortController().signal;
const readAtOnce = name === "bare" ? Number(count) : Number(name);
// Answers that are read at once also begin at once: the server waits for all of their requests.
const address = `${origin}/together/${readAtOnce}`;
const client = createBenchClient(address, createChatTransport());
const readOne = name === "bare" ? readBare : readText;
/** Bytes of a whole answer, or tokens: each event has one token. */
const whole = name === "bare" ? bytesOfAnswer("chat-completions", Number(events)) : Number(events);
const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };

serveRuns(async () => {
  const waiting = Array.from({ length: Number(count) }, (_, index) => index);
  const speeds: number[] = [];
  let sum = 0;
  const started = performance.now();
  const readInTurn = async (): Promise<void> => {
    while (waiting.pop() !== undefined) {
      const begin = performance.now();
      const amount = await readOne();
      if (amount !== whole) throw new Error(`A stream delivered ${amount} of ${whole}`);
      sum += amount;
      speeds.push(amount / secondsSince(begin));
    }
  };
  await Promise.all(Array.from({ length: readAtOnce }, readInTurn));
  return { perToken: (secondsSince(started) * 1e6) / sum, slowestShare: slowestShare(speeds) };
});

function secondsSince(begin: number): number {
  return (performance.now() - begin) / 1000;
}

/** Returns the slowest speed divided by the mean speed, which is the fair share. */
function slowestShare(speeds: readonly number[]): number {
  return Math.min(...speeds) / (speeds.reduce((sum, each) => sum + each, 0) / speeds.length);
}

async function readText(): Promise<number> {
  let tokens = 0;
  for await (const parts of client.streamChat("chat-completions", request, signal)) {
    for (const part of parts) if (part.type === "text-delta") tokens += 1;
  }
  return tokens;
}

async function readBare(): Promise<number> {
  let bytes = 0;
  const { body } = await undiciRequest(`${address}/v1/chat/completions`, { method: "POST", body: "{}" });
  for await (const chunk of body) if (chunk instanceof Uint8Array) bytes += chunk.length;
  return bytes;
}
