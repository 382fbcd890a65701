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

/** Of windows, of which each list comes first in one. */
const mostPairs = 7;

/** What a window showed: each list for the first time, and again. */
type WindowRun = Readonly<Record<"first" | "again" | "quickOpenFirst" | "quickOpenAgain", Shown>>;

/** Row 10: from the first key of a file's name in a workspace of 100,000 to the file, beside Quick Open. */
export async function benchFileSearch({ runs, scale }: BenchSize): Promise<BenchResult> {
  const count = 100_000 * scale;
  await using desk = await FileSearchDesk.open();
  const folder = await desk.createFolder(count);
  const pairs: (readonly [WindowRun, WindowRun])[] = [];
  // Who comes first finds the window still busy and the disk's cache cold: each does once of two windows.
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
