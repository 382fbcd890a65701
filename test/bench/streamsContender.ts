/**
 * Reads streamed answers from loopback, each to its text, in a process of its own: always as many in all, so many of
 * them at once. The one called `bare` reads all of them at once as bytes, and nothing more.
 */
import { request as undiciRequest } from "undici";
import { createUndiciTransport } from "../../src/client/undiciTransport.ts";
import { serveRuns } from "./contenders.ts";
import { createBenchClient } from "./inMemoryClient.ts";

const [, , name = "", origin = "", count = ""] = process.argv;
const signal = new AbortController().signal;
const readAtOnce = name === "bare" ? Number(count) : Number(name);
// Those that are read at once begin at once, as long as there are as many to read.
const address = `${origin}/together/${readAtOnce}`;
const client = createBenchClient(address, createUndiciTransport({ strictCertificates: true }));
const readOne = name === "bare" ? readBare : readText;
const request = { model: "service-core", messages: [], maxTokens: 100, stream: true };

serveRuns(async () => {
  const read = new Counted(Number(count));
  const waiting = [...read.amounts.keys()];
  const readInTurn = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await readOne(next, read);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: readAtOnce }, readInTurn));
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: read.sum / seconds, smallestShare: read.smallestShare };
});

async function readText(index: number, read: Counted): Promise<void> {
  for await (const parts of client.streamChat("chat-completions", request, signal)) {
    for (const part of parts) if (part.type === "text-delta") read.count(index, 1);
  }
  read.compareShares();
}

async function readBare(index: number, read: Counted): Promise<void> {
  const { body } = await undiciRequest(`${address}/v1/chat/completions`, { method: "POST", body: "{}" });
  for await (const chunk of body) if (chunk instanceof Uint8Array) read.count(index, chunk.length);
  read.compareShares();
}

/** Tokens or bytes of each stream, and how even they were when the first ended: at the end all have as many. */
class Counted {
  readonly amounts: number[];
  #smallestShare: number | undefined;

  constructor(streams: number) {
    this.amounts = Array.from({ length: streams }, () => 0);
  }

  get sum(): number {
    return this.amounts.reduce((sum, each) => sum + each, 0);
  }

  /** Of the fair share, which is the mean. */
  get smallestShare(): number {
    return this.#smallestShare ?? Number.NaN;
  }

  count(index: number, amount: number): void {
    this.amounts[index] = (this.amounts[index] ?? 0) + amount;
  }

  compareShares(): void {
    this.#smallestShare ??= Math.min(...this.amounts) / (this.sum / this.amounts.length);
  }
}
