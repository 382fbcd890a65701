/** Reads so many streamed answers at once from loopback, each to its text, in a process of its own. */
import { createUndiciTransport } from "../../src/client/undiciTransport.ts";
import { serveRuns } from "./contenders.ts";
import { createBenchClient } from "./inMemoryClient.ts";

const [, , name = "", origin = ""] = process.argv;
const signal = new AbortController().signal;
const client = createBenchClient(origin, createUndiciTransport({ strictCertificates: true }));
const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };

serveRuns(async () => {
  const started = performance.now();
  const streams = await Promise.all(Array.from({ length: Number(name) }, readOne));
  const milliseconds = performance.now() - started;
  const tokens = streams.reduce((sum, each) => sum + each.tokens, 0);
  // A stream's own speed; the last one to end had the smallest share.
  const slowest = Math.min(...streams.map((each) => each.tokens / each.milliseconds));
  return { tokensPerSecond: (tokens / milliseconds) * 1_000, slowestPerSecond: slowest * 1_000 };
});

async function readOne(): Promise<{ readonly tokens: number; readonly milliseconds: number }> {
  const started = performance.now();
  let tokens = 0;
  for await (const parts of client.streamChat("chat-completions", request, signal)) {
    for (const part of parts) if (part.type === "text-delta") tokens += 1;
  }
  return { tokens, milliseconds: performance.now() - started };
}
