/** How quick a large history is: `npm run bench:history [-- conversations]`. Medians of 7. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConversationStore } from "../../src/chat/conversationStore.ts";
import type { TranscriptEvent } from "../../src/chat/transcript.ts";
import { median, round } from "./statistics.ts";
import { commonWord, openStore, rareWord, writeSampleHistory } from "./sampleHistory.ts";

const runs = 7;
const count = Number(process.argv[2] ?? 10_000);
const all = Number.POSITIVE_INFINITY;

interface Row {
  readonly what: string;
  readonly "median ms": number;
  readonly "worst ms": number;
  readonly "longest pause ms": number;
}

const folder = await mkdtemp(join(tmpdir(), "bench-history-"));
try {
  const writing = performance.now();
  await writeSampleHistory(folder, count);
  console.log(`${count} conversations, ${await megabytes()} MB, written in ${since(writing)} ms`);
  console.table([...(await benchList()), ...(await benchSearch()), await benchAppend()]);
  console.log(`resident memory at the end: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function benchList(): Promise<Row[]> {
  const store = openStore(folder);
  await store.list();
  const rows = [
    await measure("first list, no index", async () => {
      await rm(join(folder, "index.jsonl"), { force: true });
      await openStore(folder).list();
    }),
    await measure("first list", async () => void (await openStore(folder).list())),
    await measure("further list", async () => void (await store.list())),
  ];
  return rows;
}

async function benchSearch(): Promise<Row[]> {
  const store = openStore(folder);
  await store.list();
  return [
    await measure("first search, first 50 of a word in all", () => find(openStore(folder), commonWord, 50)),
    await measure("first search, whole history", () => find(openStore(folder), rareWord, all), 1),
    await measure("(the store of the next rows reads all once)", () => find(store, rareWord, all), 1),
    await measure("search, a word in one", () => find(store, rareWord, all)),
    await measure("search, a word in none", () => find(store, "zzzzqqqq", all)),
    await measure("search, a word in all and one in one", () =>
      find(store, `${commonWord} ${rareWord}`, all),
    ),
    await measure("search, first 50 of a word in all", () => find(store, commonWord, 50)),
    await measure("search, first 50 of one letter", () => find(store, "e", 50)),
    await measure("search, every match of a word in all", () => find(store, commonWord, all), 1),
  ];
}

/** Pieces of text, as fast as they can be handed over. */
async function benchAppend(): Promise<Row> {
  const store = openStore(join(folder, "append"));
  const log = store.log("00000000-0000-4000-8000-000000000000");
  const token: readonly TranscriptEvent[] = [{ type: "text-delta", text: "token " }];
  return measure("append 100,000 tokens", async () => {
    for (let index = 0; index < 100_000; index += 1) log.append(token);
    await log.flush();
  });
}

async function find(store: ConversationStore, query: string, most: number): Promise<void> {
  let found = 0;
  for await (const _ of store.search(query, new AbortController().signal)) {
    found += 1;
    if (found >= most) break;
  }
  if (found === 0 && query !== "zzzzqqqq") throw new Error(`Nothing found for ${query}`);
}

/** The longest pause is the longest time that nothing else of the process could run. */
async function measure(what: string, run: () => Promise<void>, times = runs): Promise<Row> {
  const took: number[] = [];
  let pause = 0;
  for (let index = 0; index < times; index += 1) {
    let last = performance.now();
    const tick = setInterval(() => {
      pause = Math.max(pause, performance.now() - last);
      last = performance.now();
    }, 1);
    const start = performance.now();
    await run();
    took.push(performance.now() - start);
    pause = Math.max(pause, performance.now() - last);
    clearInterval(tick);
  }
  return {
    what: times === 1 ? `${what} (once)` : what,
    "median ms": round(median(took)),
    "worst ms": round(Math.max(...took)),
    "longest pause ms": round(pause),
  };
}

async function megabytes(): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1e6);
}

function since(start: number): number {
  return round(performance.now() - start);
}
