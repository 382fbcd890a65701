import { atMost, type BenchRow, type BenchSize, type Figure, withGrowth } from "./benchRow.ts";
import { FileSearchDesk } from "./fileSearchDesk.ts";
import type { Shown } from "./listProbe.ts";
import { median } from "./statistics.ts";

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

async function benchCount(desk: FileSearchDesk, count: number, runs: number): Promise<BenchRow> {
  const folder = await desk.createFolder(count);
  const all: WindowRun[] = [];
  for (let run = 0; run < runs; run += 1) {
    await desk.openFolder(folder);
    // Who comes first finds the disk's cache cold, so they take turns.
    if (run % 2 === 0) {
      const first = await desk.searchInChat();
      const quickOpenFirst = await desk.searchInQuickOpen();
      const again = await desk.searchInChat();
      all.push({ first, quickOpenFirst, again, quickOpen: await desk.searchInQuickOpen() });
    } else {
      const quickOpenFirst = await desk.searchInQuickOpen();
      const first = await desk.searchInChat();
      const quickOpen = await desk.searchInQuickOpen();
      all.push({ first, quickOpenFirst, again: await desk.searchInChat(), quickOpen });
    }
  }
  const figure = (name: string, read: (run: WindowRun) => number): Figure => ({
    name,
    value: median(all.map(read)),
    unit: "ms",
  });
  const ours = [
    figure("first key to file, first time", ({ first }) => first.sinceFirst),
    figure("again", ({ again }) => again.sinceFirst),
    figure("last key to file", ({ again }) => again.sinceLast),
  ] as const;
  const others = [
    figure("Quick Open, first time", ({ quickOpenFirst }) => quickOpenFirst.sinceFirst),
    figure("again", ({ quickOpen }) => quickOpen.sinceFirst),
    figure("last key to file", ({ quickOpen }) => quickOpen.sinceLast),
  ] as const;
  return {
    what: `# file search in ${count} files`,
    ours,
    others,
    goals: [
      atMost("of Quick Open's time, the first time", ours[0].value / others[0].value, 1),
      atMost("of Quick Open's time, again", ours[1].value / others[1].value, 1),
      atMost("of Quick Open's time, last key to file", ours[2].value / others[2].value, 1),
    ],
  };
}
