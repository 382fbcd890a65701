/**
 * Reads streamed answers from loopback, each to its text, in a process of its own: always as many in all, so many of
 * them at once.
 */
import { createUndiciTransport } from "../../src/client/undiciTransport.ts";
import { serveRuns } from "./contenders.ts";
import { createBenchClient } from "./inMemoryClient.ts";

const [, , name = "", origin = "", count = ""] = process.argv;
const signal = new AbortController().signal;
// Those that are read at once begin at once, as long as there are as many to read.
const client = createBenchClient(
  `${origin}/together/${name}`,
  createUndiciTransport({ strictCertificates: true }),
);
const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };

serveRuns(async () => {
  const read = new Counted(Number(count));
  const waiting = [...read.tokens.keys()];
  const readInTurn = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await readOne(next, read);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: Number(name) }, readInTurn));
  const seconds = (performance.now() - started) / 1000;
  return { tokensPerSecond: read.sum / seconds, smallestShare: read.smallestShare };
});

async function readOne(index: number, read: Counted): Promise<void> {
  for await (const parts of client.streamChat("chat-completions", request, signal)) {
    for (const part of parts) if (part.type === "text-delta") read.count(index);
  }
  read.compareShares();
}

/** Tokens of each stream, and how even they were when the first of them ended: at the end all have as many. */
class Counted {
  readonly tokens: number[];
  #smallestShare: number | undefined;

  constructor(streams: number) {
    this.tokens = Array.from({ length: streams }, () => 0);
  }

  get sum(): number {
    return this.tokens.reduce((sum, each) => sum + each, 0);
  }

  /** Of the fair share, which is the mean. */
  get smallestShare(): number {
    return this.#smallestShare ?? Number.NaN;
  }

  count(index: number): void {
    this.tokens[index] = (this.tokens[index] ?? 0) + 1;
  }

  compareShares(): void {
    this.#smallestShare ??= Math.min(...this.tokens) / (this.sum / this.tokens.length);
  }
}
