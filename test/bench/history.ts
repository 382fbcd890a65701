import type { ConversationSummary } from "../../src/chat/conversationSummary.ts";
import { atMost, type BenchRow, type BenchSize, type Figure, type Goal, withGrowth } from "./benchRow.ts";
import { HistoryDesk, type Typed } from "./historyDesk.ts";
import { openStore, rareWord, writeSampleHistory } from "./sampleHistory.ts";
import { median } from "./statistics.ts";

/** One frame, in milliseconds. */
const frame = 1_000 / 60;
/** What the list shows first: the lines in sight. */
const firstLines = 20;
/** Characters of a title that are typed. */
const typedOfTitle = 40;
/** Windows that are opened for each size. */
const mostWindows = 7;

/** Row 9: ten thousand conversations, about 200 MB, in the store and in the editor's list. */
export async function benchHistory({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  const counts = [0.01, 0.1, 1].map((share) => Math.max(10, Math.round(10_000 * share * scale)));
  const stored: BenchRow[] = [];
  const listed: BenchRow[] = [];
  await using desk = await HistoryDesk.open();
  for (const count of counts) {
    await desk.clear();
    await writeSampleHistory(desk.folder, count);
    stored.push(await benchStore(desk.folder, count, runs));
    listed.push(await benchList(desk, count, Math.min(runs, mostWindows)));
  }
  return [...withGrowth(stored), ...withGrowth(listed)];
}

async function benchStore(folder: string, count: number, runs: number): Promise<BenchRow> {
  await writeIndex(folder);
  const list = await measure(runs, async () => void (await openStore(folder).list()));
  const first = await measure(runs, () => listFirst(folder));
  const store = openStore(folder);
  const [newest] = await store.list();
  if (newest === undefined) throw new Error("The history is empty");
  const open = await measure(runs, async () => void (await store.open(newest.id)));
  const firstSearch = await measure(1, () => searchAll(store));
  const further = await measure(runs, () => searchAll(store));
  return {
    what: `history of ${count} conversations`,
    ours: [
      { name: "first list", value: first, unit: "ms" },
      { name: "all of it", value: list, unit: "ms" },
      { name: "open the newest", value: open, unit: "ms" },
      { name: "first search", value: firstSearch, unit: "ms" },
      { name: "search", value: further, unit: "ms" },
    ],
    peers: [],
    limits: [],
    goals: [
      atMost("frames for the first list", first / frame, 2),
      atMost("ms for a search after the first", further, 150),
    ],
  };
}

/** As a window leaves it behind. */
async function writeIndex(folder: string): Promise<void> {
  const store = openStore(folder);
  await store.list();
  await store.close();
}

async function listFirst(folder: string): Promise<void> {
  const { length } = await openStore(folder).listFirst(firstLines);
  if (length === 0) throw new Error("The index has no first lines");
}

/** What two windows showed, of which the first had the other list alone. */
interface WindowRun {
  readonly first: number;
  readonly otherFirst: number;
  readonly again: number;
  readonly other: number;
  /** Milliseconds from each key of a title and of a word to its frame; as many in both lists. */
  readonly keys: readonly number[];
  readonly otherKeys: readonly number[];
  readonly title: Typed;
  readonly text: Typed;
  readonly scroll: number;
  readonly pin: number;
  readonly remove: number;
  readonly open: number;
  readonly otherAccepted: number;
}

async function benchList(desk: HistoryDesk, count: number, windows: number): Promise<BenchRow> {
  const all: WindowRun[] = [];
  for (let run = 0; run < windows; run += 1) all.push(await benchWindow(desk));
  const figure = (name: string, read: (run: WindowRun) => number): Figure => ({
    name,
    value: median(all.map(read)),
    unit: "ms",
  });
  const more = (what: string, read: (run: WindowRun) => number): Goal =>
    atMost(`frames more ${what}`, median(all.map(read)) / frame, 2);
  const ours = [
    figure("first time in a window", ({ first }) => first),
    figure("again", ({ again }) => again),
    figure("last key to the oldest title", ({ title }) => title.toRow),
    figure("last key to a word in a text", ({ text }) => text.toRow),
    figure("key to frame, worst", ({ keys }) => Math.max(...keys)),
    slowestKey(all.map(({ keys }) => keys)),
    figure("scroll to frame", ({ scroll }) => scroll),
    figure("pin", ({ pin }) => pin),
    figure("delete", ({ remove }) => remove),
    figure("Enter on the newest to its painted chat", ({ open }) => open),
  ] as const;
  const limits = [
    figure("the editor's list of 20, first time in a window", (run) => run.otherFirst),
    figure("again", (run) => run.other),
    figure("key to frame, worst", ({ otherKeys }) => Math.max(...otherKeys)),
    slowestKey(all.map(({ otherKeys }) => otherKeys)),
    figure("Enter until it is gone", (run) => run.otherAccepted),
  ] as const;
  return {
    what: `list of ${count} conversations in the editor`,
    ours,
    peers: [],
    limits,
    goals: [
      more("than the editor's list of 20, first time in a window", (run) => run.first - run.otherFirst),
      more("than the editor's list of 20, again", (run) => run.again - run.other),
      more("for the slowest key", ({ keys, otherKeys }) => Math.max(...keys) - Math.max(...otherKeys)),
    ],
  };
}

/** Which key was the slowest, in the window whose slowest one is the median of them. */
function slowestKey(windows: readonly (readonly number[])[]): Figure {
  const inOrder = windows.toSorted((one, other) => Math.max(...one) - Math.max(...other));
  const keys = inOrder[Math.ceil(inOrder.length / 2) - 1] ?? [];
  const number = keys.indexOf(Math.max(...keys)) + 1;
  return { name: `slowest key of ${keys.length} is number`, value: number, unit: "" };
}

async function benchWindow(desk: HistoryDesk): Promise<WindowRun> {
  const summaries = await openStore(desk.folder).list();
  const [newest, second, oldest] = [summaries[0], summaries[1], summaries.at(-1)].map(titleOf);
  if (newest === undefined || second === undefined || oldest === undefined)
    throw new Error("The history is empty");
  const holder = await titleOfRare(desk.folder);
  const titles = summaries.slice(0, 20).map(({ title }) => title);
  await desk.becomeFresh();
  const otherFirst = await desk.showOther(titles);
  await desk.leave();
  await desk.becomeFresh();
  const first = await desk.showHistory(newest);
  await desk.leave();
  const { other, otherKeys } = await benchOther(desk, titles);
  const again = await desk.showHistory(newest);
  const scroll = await desk.scroll();
  await desk.leave();
  const { title, text } = await benchTyping(desk, { newest, oldest, holder });
  await desk.showHistory(newest);
  const pin = await desk.pin(second);
  const remove = await desk.remove(second);
  await desk.leave();
  const otherAccepted = await desk.acceptOther(titles);
  const open = await desk.openFirst(newest);
  const keys = [...title.keys, ...text.keys];
  // The worst of more keys is worse by chance.
  const length = Math.min(keys.length, otherKeys.length);
  return {
    first,
    otherFirst,
    again,
    other,
    keys: keys.slice(0, length),
    otherKeys: otherKeys.slice(0, length),
    title,
    text,
    scroll,
    pin,
    remove,
    open,
    otherAccepted,
  };
}

/** The editor's own list, into which as many keys are typed as into ours. */
async function benchOther(
  desk: HistoryDesk,
  titles: readonly string[],
): Promise<Pick<WindowRun, "other" | "otherKeys">> {
  const other = await desk.showOther(titles);
  const titleKeys = await desk.typeKeys((titles.at(-1) ?? "").slice(0, typedOfTitle));
  await desk.leave();
  await desk.showOther(titles);
  const wordKeys = await desk.typeKeys(rareWord);
  await desk.leave();
  return { other, otherKeys: [...titleKeys, ...wordKeys] };
}

/** @param titles of which the holder's chat has the rare word in its text */
async function benchTyping(
  desk: HistoryDesk,
  { newest, oldest, holder }: Readonly<Record<"newest" | "oldest" | "holder", string>>,
): Promise<Pick<WindowRun, "title" | "text">> {
  await desk.showHistory(newest);
  const title = await desk.type(oldest.slice(0, typedOfTitle), oldest);
  await desk.leave();
  // The first search of a window reads all; the row above says what that takes.
  await desk.showHistory(newest);
  await desk.type(rareWord, holder);
  await desk.leave();
  await desk.showHistory(newest);
  const text = await desk.type(rareWord, holder);
  await desk.leave();
  return { title, text };
}

function titleOf(summary: ConversationSummary | undefined): string | undefined {
  return summary?.title;
}

async function titleOfRare(folder: string): Promise<string> {
  for await (const { summary } of openStore(folder).search(rareWord, new AbortController().signal))
    return summary.title;
  throw new Error("No conversation holds the rare word");
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
