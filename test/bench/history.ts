import {
  atMost,
  type BenchResult,
  type BenchSize,
  type Figure,
  formatNumber,
  milliseconds,
  type NamedFigure,
} from "./benchRow.ts";
import { HistoryDesk } from "./historyDesk.ts";
import { openStore, rareWord, writeSampleHistory } from "./sampleHistory.ts";
import { median } from "./statistics.ts";

/** Two frames at 60 Hz, in milliseconds. */
const twoFrames = 1_000 / 30;
/** Number of rows that the list shows first. */
const firstLines = 20;
/** Number of characters of a title to type. */
const typedOfTitle = 40;
const mostWindows = 7;

/**
 * Row 9: 10,000 chats, about 200 MB, in the store and in our list in VS Code. Compares our list with a VS Code
 * list of 20 rows.
 */
export async function benchHistory({ runs, scale }: BenchSize): Promise<BenchResult> {
  const count = 10_000 * scale;
  await using desk = await HistoryDesk.open();
  await writeSampleHistory(desk.folder, count);
  const stored = await benchStore(desk.folder, runs);
  const windows: WindowRun[] = [];
  for (let run = 0; run < Math.min(runs, mostWindows); run += 1) windows.push(await benchWindow(desk));
  const of = (read: (run: WindowRun) => number): Figure => milliseconds(median(windows.map(read)));
  const name = "editor's";
  const first = of((run) => run.first - run.otherFirst);
  const key = of((run) => run.slowestKey - run.otherSlowestKey);
  const chats = `${formatNumber(count)} chats`;
  return {
    lines: [
      {
        what: `${chats}, first lines`,
        ours: stored.first,
        goal: atMost(stored.first.value, twoFrames, "ms"),
      },
      { what: `${chats}, a search`, ours: stored.search, goal: atMost(stored.search.value, 150, "ms") },
      {
        what: "first list, over editor's",
        ours: first,
        limit: { name, ...of(({ otherFirst }) => otherFirst) },
        goal: atMost(first.value, twoFrames, "ms"),
      },
      {
        what: "slowest key, over editor's",
        ours: key,
        limit: { name, ...of(({ otherSlowestKey }) => otherSlowestKey) },
        goal: atMost(key.value, twoFrames, "ms"),
      },
    ],
    figures: [stored.list, stored.firstSearch],
  };
}

/** Milliseconds for our list and for VS Code's own list, each first shown in a fresh window. */
interface WindowRun {
  readonly first: number;
  readonly otherFirst: number;
  /** From a key to the next frame. */
  readonly slowestKey: number;
  readonly otherSlowestKey: number;
}

async function benchStore(
  folder: string,
  runs: number,
): Promise<Readonly<Record<"first" | "list" | "firstSearch" | "search", NamedFigure>>> {
  // Leaves the files as a closed window leaves them.
  const before = openStore(folder);
  await before.list();
  await before.close();
  const store = openStore(folder);
  await store.list();
  return {
    first: await measure("first lines", runs, () => listFirst(folder)),
    list: await measure("all lines", runs, async () => void (await openStore(folder).list())),
    firstSearch: await measure("first search", 1, () => searchAll(store)),
    search: await measure("further search", runs, () => searchAll(store)),
  };
}

async function benchWindow(desk: HistoryDesk): Promise<WindowRun> {
  const titles = (await openStore(desk.folder).list()).map(({ title }) => title);
  const [newest, oldest] = [titles[0], titles.at(-1)];
  if (newest === undefined || oldest === undefined) throw new Error("The history is empty");
  const holder = await titleOfRare(desk.folder);
  const rows = titles.slice(0, 20);
  await desk.becomeFresh();
  const otherFirst = await desk.showOther(rows);
  await desk.leave();
  await desk.becomeFresh();
  const first = await desk.showHistory(newest);
  await desk.leave();
  const otherKeys = [
    ...(await typeInOther(desk, rows, (rows.at(-1) ?? "").slice(0, typedOfTitle))),
    ...(await typeInOther(desk, rows, rareWord)),
  ];
  // The first search in a window reads all chats; the store's own figure covers that time.
  await typeInHistory(desk, newest, rareWord, holder);
  const keys = [
    ...(await typeInHistory(desk, newest, oldest.slice(0, typedOfTitle), oldest)),
    ...(await typeInHistory(desk, newest, rareWord, holder)),
  ];
  // Compares the same number of keys: among more keys, the slowest is slower by chance.
  const length = Math.min(keys.length, otherKeys.length);
  const slowest = (of: readonly number[]): number => Math.max(...of.slice(0, length));
  return { first, otherFirst, slowestKey: slowest(keys), otherSlowestKey: slowest(otherKeys) };
}

async function typeInOther(
  desk: HistoryDesk,
  rows: readonly string[],
  text: string,
): Promise<readonly number[]> {
  await desk.showOther(rows);
  const keys = await desk.typeKeys(text);
  await desk.leave();
  return keys;
}

/** @param found title of the row that the text finds */
async function typeInHistory(
  desk: HistoryDesk,
  newest: string,
  text: string,
  found: string,
): Promise<readonly number[]> {
  await desk.showHistory(newest);
  const keys = await desk.type(text, found);
  await desk.leave();
  return keys;
}

async function measure(name: string, runs: number, work: () => Promise<void>): Promise<NamedFigure> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return { name, ...milliseconds(median(times)) };
}

async function listFirst(folder: string): Promise<void> {
  const { length } = await openStore(folder).listFirst(firstLines);
  if (length === 0) throw new Error("The index has no first lines");
}

async function titleOfRare(folder: string): Promise<string> {
  for await (const { summary } of openStore(folder).search(rareWord, new AbortController().signal))
    return summary.title;
  throw new Error("No conversation contains the rare word");
}

async function searchAll(store: ReturnType<typeof openStore>): Promise<void> {
  let found = 0;
  for await (const _ of store.search(rareWord, new AbortController().signal)) found += 1;
  if (found !== 1) throw new Error(`Found in ${found} conversations instead of one`);
}
