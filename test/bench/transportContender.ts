/** One way to read a streamed answer from loopback, in its own process. */
import { setTimeout as wait } from "node:timers/promises";
import OpenAI from "openai";
import { request as undiciRequest } from "undici";
import { answerLimits } from "../../src/client/timeLimits.ts";
import type { StreamPart } from "../../src/protocol/conversation.ts";
import { createChatTransport } from "./chatTransport.ts";
import { serveRuns, type Run } from "./contenders.ts";
import { createBenchClient } from "./inMemoryClient.ts";
import { sizesOfAnswer } from "./streamedAnswer.ts";

const [, , name = "", origin = "", repeats = "", events = ""] = process.argv;
const url = new URL("/v1/chat/completions", origin);
const body = JSON.stringify({ model: "service-core", messages: [], stream: true });
const headers = { "content-type": "application/json" };
const signal = new AbortController().signal;
const transport = createChatTransport();
const client = createBenchClient(origin, transport);
const openai = new OpenAI({ apiKey: "test-not-a-key", baseURL: `${origin}/v1` });
const { bytes, characters } = sizesOfAnswer("chat-completions", Number(events));

interface Way {
  /** Calls back at each piece, with its size. */
  readonly read: (onPiece: (size: number) => void) => Promise<void>;
  /** What the sizes come to where all was read: bytes, or characters of the text. */
  readonly whole: number;
}

const ways: Readonly<Record<string, Way>> = {
  "our transport": {
    whole: bytes,
    read: async (onPiece) => {
      const message = { method: "POST", url, headers, body } as const;
      const response = await transport.send(message, answerLimits, signal);
      for await (const piece of response.body) onPiece(piece.length);
    },
  },
  "our client, to text": {
    whole: characters,
    read: async (onPiece) => {
      const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };
      const answer = client.streamChat("chat-completions", request, signal);
      for await (const parts of answer) onPiece(charactersIn(parts));
    },
  },
  "undici.request": {
    whole: bytes,
    read: async (onPiece) => {
      const response = await undiciRequest(url, { method: "POST", headers, body });
      for await (const piece of response.body) onPiece(piece.length);
    },
  },
  "Node's fetch": {
    whole: bytes,
    read: async (onPiece) => {
      const response = await fetch(url, { method: "POST", headers, body });
      for await (const piece of response.body ?? []) onPiece(piece.length);
    },
  },
  "openai, to text": {
    whole: characters,
    read: async (onPiece) => {
      const stream = await openai.chat.completions.create({
        model: "service-core",
        messages: [],
        stream: true,
      });
      for await (const chunk of stream) onPiece(chunk.choices[0]?.delta.content?.length ?? 0);
    },
  },
};

const way = ways[name];
if (way === undefined) throw new Error(`No way is called ${name}`);

/** Milliseconds in which both sides have done with an answer; nobody asks again before that. */
const pause = 10;

/** Several answers a run, since one is over in a few milliseconds. */
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

async function readOnce({ read, whole }: Way): Promise<Run> {
  const started = performance.now();
  let first: number | undefined;
  let size = 0;
  await read((of) => {
    first ??= performance.now() - started;
    size += of;
  });
  const took = performance.now() - started;
  if (first === undefined || size !== whole) throw new Error(`${name} read ${size} of ${whole}`);
  return { firstByte: first, whole: took };
}

function charactersIn(parts: readonly StreamPart[]): number {
  let count = 0;
  for (const part of parts) if (part.type === "text-delta") count += part.text.length;
  return count;
}
