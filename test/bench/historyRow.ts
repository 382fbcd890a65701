import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { atMost, type BenchRow, type BenchSize, type Figure, withGrowth } from "./benchRow.ts";
import { openStore, rareWord, writeSampleHistory } from "./sampleHistory.ts";
import { median } from "./statistics.ts";

/** One frame, in milliseconds. */
const frame = 1_000 / 60;

/** Row 9: ten thousand conversations, about 200 MB. */
export async function benchHistory({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  const counts = [0.01, 0.1, 1].map((share) => Math.max(10, Math.round(10_000 * share * scale)));
  const rows: BenchRow[] = [];
  for (const count of counts) rows.push(await benchCount(count, runs));
  return withGrowth(rows);
}

async function benchCount(count: number, runs: number): Promise<BenchRow> {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-history-"));
  try {
    await writeSampleHistory(folder, count);
    const list = await measure(runs, async () => void (await openStore(folder).list()));
    const store = openStore(folder);
    const [newest] = await store.list();
    if (newest === undefined) throw new Error("The history is empty");
    const open = await measure(runs, async () => void (await store.open(newest.id)));
    const first = await measure(1, () => searchAll(store));
    const further = await measure(runs, () => searchAll(store));
    const ours: readonly Figure[] = [
      { name: "list", value: list, unit: "ms" },
      { name: "open the newest", value: open, unit: "ms" },
      { name: "first search", value: first, unit: "ms" },
      { name: "search", value: further, unit: "ms" },
    ];
    const goals = [
      atMost("frames for the list", list / frame, 2),
      atMost("ms for a search after the first", further, 150),
    ];
    return { what: `history of ${count} conversations`, ours, others: [], goals };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function searchAll(store: ReturnType<typeof openStore>): Promise<void> {
  let found = 0;
  for await (const _ of store.search(rareWord, new AbortController().signal)) found += 1;
  if (found !== 1) throw new Error(`Found in ${found} conversations instead of one`);
}

async function measure(runs: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
