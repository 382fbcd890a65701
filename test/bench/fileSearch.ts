import {
  atMost,
  type BenchLine,
  type BenchResult,
  type BenchSize,
  type Figure,
  formatNumber,
  milliseconds,
} from "./benchRow.ts";
import { FileSearchDesk, keyPause } from "./fileSearchDesk.ts";
import type { Shown } from "./listProbe.ts";
import { median } from "./statistics.ts";

/** Maximum pairs of windows. Each list comes first in one window of a pair. */
const mostPairs = 7;

/** Times in one window: each list the first time, and again. */
type WindowRun = Readonly<Record<"first" | "again" | "quickOpenFirst" | "quickOpenAgain", Shown>>;

/**
 * Row 10: from the first key of a file name until the list shows the file, compared with Quick Open. The workspace
 * has 100,000 files.
 */
export async function benchFileSearch({ runs, scale }: BenchSize): Promise<BenchResult> {
  const count = 100_000 * scale;
  await using desk = await FileSearchDesk.open();
  const folder = await desk.createFolder(count);
  const pairs: (readonly [WindowRun, WindowRun])[] = [];
  // The list that comes first finds a busy window and a cold disk cache, so each list comes first once.
  while (pairs.length < Math.min(runs, mostPairs)) {
    await desk.openFolder(folder);
    const chatFirst = await searchChatFirst(desk);
    await desk.openFolder(folder);
    pairs.push([chatFirst, await searchQuickOpenFirst(desk)]);
  }
  /** The mean of each pair. */
  const times = (list: keyof WindowRun, since: keyof Shown): readonly number[] =>
    pairs.map(([one, other]) => (one[list][since] + other[list][since]) / 2);
  const figure = (list: keyof WindowRun, since: keyof Shown): Figure =>
    milliseconds(median(times(list, since)));
  const line = (which: string, ours: keyof WindowRun, peer: keyof WindowRun): BenchLine => {
    const peerTimes = times(peer, "sinceFirst");
    const ratios = times(ours, "sinceFirst").map((time, pair) => time / (peerTimes[pair] ?? Number.NaN));
    const ratio = median(ratios);
    return {
      what: `${formatNumber(count)} files, ${which}`,
      ours: figure(ours, "sinceFirst"),
      peer: { name: "Quick Open", ...figure(peer, "sinceFirst") },
      ratio,
      goal: atMost(ratio, 1),
    };
  };
  return {
    lines: [line("first time", "first", "quickOpenFirst"), line("again", "again", "quickOpenAgain")],
    figures: [
      { name: "from key to key", ...milliseconds(keyPause) },
      { name: "last key to file, first time", ...figure("first", "sinceLast") },
      { name: "last key to file, again", ...figure("again", "sinceLast") },
      { name: "last key to file in Quick Open, first time", ...figure("quickOpenFirst", "sinceLast") },
      { name: "last key to file in Quick Open, again", ...figure("quickOpenAgain", "sinceLast") },
    ],
  };
}

async function searchChatFirst(desk: FileSearchDesk): Promise<WindowRun> {
  const first = await desk.searchInChat();
  const quickOpenFirst = await desk.searchInQuickOpen();
  const again = await desk.searchInChat();
  return { first, quickOpenFirst, again, quickOpenAgain: await desk.searchInQuickOpen() };
}

async function searchQuickOpenFirst(desk: FileSearchDesk): Promise<WindowRun> {
  const quickOpenFirst = await desk.searchInQuickOpen();
  const first = await desk.searchInChat();
  const quickOpenAgain = await desk.searchInQuickOpen();
  return { first, quickOpenFirst, again: await desk.searchInChat(), quickOpenAgain };
}
