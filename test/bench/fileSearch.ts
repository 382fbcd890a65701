import { atMost, type BenchRow, type BenchSize, type Figure, type Goal, withGrowth } from "./benchRow.ts";
import { FileSearchDesk, keyPause } from "./fileSearchDesk.ts";
import type { Shown } from "./listProbe.ts";
import { median } from "./statistics.ts";

/** Of windows, of which each list comes first in one. */
const mostPairs = 7;

/** Row 10: a file by its name in workspaces of three sizes, beside Quick Open in the same window. */
export async function benchFileSearch({ runs, scale }: BenchSize): Promise<readonly BenchRow[]> {
  await using desk = await FileSearchDesk.open();
  const rows: BenchRow[] = [];
  for (const size of [1_000, 10_000, 100_000])
    rows.push(await benchCount(desk, Math.round(size * scale), runs));
  return withGrowth(rows);
}

/** What one window showed: each list for the first time, and again. */
interface WindowRun {
  readonly first: Shown;
  readonly again: Shown;
  readonly quickOpenFirst: Shown;
  readonly quickOpen: Shown;
}

async function searchChatFirst(desk: FileSearchDesk): Promise<WindowRun> {
  const first = await desk.searchInChat();
  const quickOpenFirst = await desk.searchInQuickOpen();
  const again = await desk.searchInChat();
  return { first, quickOpenFirst, again, quickOpen: await desk.searchInQuickOpen() };
}

async function searchQuickOpenFirst(desk: FileSearchDesk): Promise<WindowRun> {
  const quickOpenFirst = await desk.searchInQuickOpen();
  const first = await desk.searchInChat();
  const quickOpen = await desk.searchInQuickOpen();
  return { first, quickOpenFirst, again: await desk.searchInChat(), quickOpen };
}

function meanOf(one: WindowRun, other: WindowRun): WindowRun {
  const mean = (read: (run: WindowRun) => Shown): Shown => ({
    sinceFirst: (read(one).sinceFirst + read(other).sinceFirst) / 2,
    sinceLast: (read(one).sinceLast + read(other).sinceLast) / 2,
  });
  return {
    first: mean(({ first }) => first),
    again: mean(({ again }) => again),
    quickOpenFirst: mean(({ quickOpenFirst }) => quickOpenFirst),
    quickOpen: mean(({ quickOpen }) => quickOpen),
  };
}

async function benchCount(desk: FileSearchDesk, count: number, runs: number): Promise<BenchRow> {
  const folder = await desk.createFolder(count);
  const pairs: WindowRun[] = [];
  // Who comes first finds the window still busy and the disk's cache cold: each does once of two windows.
  while (pairs.length < Math.min(runs, mostPairs)) {
    await desk.openFolder(folder);
    const chatFirst = await searchChatFirst(desk);
    await desk.openFolder(folder);
    pairs.push(meanOf(chatFirst, await searchQuickOpenFirst(desk)));
  }
  const figure = (name: string, read: (run: WindowRun) => number): Figure => ({
    name,
    value: median(pairs.map(read)),
    unit: "ms",
  });
  const ofQuickOpen = (name: string, read: (pair: WindowRun) => number): Goal =>
    atMost(`of Quick Open's time, ${name}`, median(pairs.map(read)), 1);
  const ours = [
    figure("first key to file, first time", ({ first }) => first.sinceFirst),
    figure("last key to file, first time", ({ first }) => first.sinceLast),
    figure("first key to file, again", ({ again }) => again.sinceFirst),
    figure("last key to file, again", ({ again }) => again.sinceLast),
  ] as const;
  const peers = [
    figure("Quick Open, first time", ({ quickOpenFirst }) => quickOpenFirst.sinceFirst),
    figure("last key to file, first time", ({ quickOpenFirst }) => quickOpenFirst.sinceLast),
    figure("first key to file, again", ({ quickOpen }) => quickOpen.sinceFirst),
    figure("last key to file, again", ({ quickOpen }) => quickOpen.sinceLast),
  ] as const;
  return {
    what: `# file search in ${count} files, a key each ${keyPause} ms`,
    ours,
    peers,
    limits: [],
    goals: [
      ofQuickOpen("the first time", (pair) => pair.first.sinceFirst / pair.quickOpenFirst.sinceFirst),
      ofQuickOpen("last key, the first time", (pair) => pair.first.sinceLast / pair.quickOpenFirst.sinceLast),
      ofQuickOpen("again", (pair) => pair.again.sinceFirst / pair.quickOpen.sinceFirst),
      ofQuickOpen("last key, again", (pair) => pair.again.sinceLast / pair.quickOpen.sinceLast),
    ],
  };
}
