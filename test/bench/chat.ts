/**
 * How quick the chat page is: `npm run bench:chat [-- --smallest | --runs <number>]`. Medians of 7. Ends with 1
 * when a goal is not met, unless it is only tried at its smallest, whose figures say nothing.
 */
import { parseArgs } from "node:util";
import { exitOnSignals } from "../support/exitOnSignals.ts";
import { hostileAnswers } from "../e2e/hostileAnswers.ts";
import { measureArriving, measureAsked, measureRestored } from "./bareRuns.ts";
import { ChatDesk } from "./chatDesk.ts";
import type { LongestTask } from "./longTasks.ts";
import { PaintProbe } from "./paintProbe.ts";
import { type FreeProcessor, freeProcessor } from "./processors.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { median, percentile } from "./statistics.ts";
import { measurePacedStream, measureTyping } from "./streams.ts";
import { measureSizes } from "./streamSizes.ts";
import { exitCodeOf, printTable, type Row, rowOf, shortfallOf, taskRows } from "./table.ts";

const longestTask = 50;
const twoFrames = 33;
const largestGrowth = 1.3;

exitOnSignals();
const { values } = parseArgs({
  options: { smallest: { type: "boolean", default: false }, runs: { type: "string", default: "7" } },
});
const { smallest } = values;
const runs = smallest ? 1 : Number(values.runs);
const sizes = smallest ? [10] : [10, 100, 1000];
const measured: Row[] = [];

{
  await using desk = await ChatDesk.open();
  show(
    `Answers as fast as they come, service to page in a real editor (medians of ${runs}; the page has a process of its own, as on a desktop, and what the window takes is added)`,
    await benchSizes(desk),
  );
  show("Someone is watching, in the same editor", await benchWatching(desk));
}
{
  await using free = await freeProcessor();
  show(
    "The page alone: what is hard on it, and chats of earlier days (once each)",
    await benchPageAlone(free),
  );
  console.log(
    free === undefined
      ? "\nA task is judged by its CPU time. Its duration is shown and not judged: here nothing can have a processor\n" +
          "to itself, so it counts the time in which the thread waited for one."
      : "\nWhile long tasks were looked for the page's main thread had a processor to itself, as it mostly has where\n" +
          "the service is elsewhere; all else shared the others.",
  );
}
const shortfall = shortfallOf(measured);
if (shortfall !== undefined) console.error(`\n${shortfall}`);
process.exitCode = exitCodeOf(measured, smallest);

function show(title: string, rows: readonly Row[]): void {
  printTable(title, rows);
  measured.push(...rows);
}

async function benchSizes(desk: ChatDesk): Promise<Row[]> {
  await using free = await freeProcessor();
  await free?.giveTo(await desk.processOfPage());
  const costs = await measureSizes(desk, await desk.threads(), { sizes, runs, warmUps: 2 });
  const rows = costs.flatMap(({ size, perKilobyte, wall, longest, longestOfAll, heap }) => [
    rowOf(`${size} KB: main thread`, perKilobyte, "ms of CPU per KB"),
    rowOf(`${size} KB: until all is painted`, wall / 1000, "s"),
    ...tasks(`${size} KB`, longest.page, free),
    rowOf(
      `${size} KB: the longest task in all ${runs} answers, its duration (not judged)`,
      longestOfAll,
      "ms",
    ),
    rowOf(`${size} KB: longest task of the window, its CPU`, longest.window.cpu, "ms", longestTask),
    rowOf(`${size} KB: heap of window and page after`, heap, "MB"),
  ]);
  const costOf = (size: number): number =>
    costs.find((each) => each.size === size)?.perKilobyte ?? Number.NaN;
  const growth = costOf(1000) / costOf(10);
  return smallest
    ? rows
    : [...rows, rowOf("CPU per KB at 1000 KB, of that at 10 KB", growth, "times", largestGrowth)];
}

async function benchWatching(desk: ChatDesk): Promise<Row[]> {
  const probe = await PaintProbe.in(desk.frame);
  const seconds = smallest ? 2 : 10;
  const streams = await repeat(() => measurePacedStream(desk, probe, { count: seconds * 100, pace: 10 }));
  const rate = median(streams.map(({ tokensPerSecond }) => tokensPerSecond));
  const pace = `${Math.round(rate)} tokens a second for ${seconds} s`;
  const typed = await repeat(() =>
    measureTyping(desk, probe, createSampleAnswer(smallest ? 50_000 : 300_000)),
  );
  const delay = (at: number): number => median(streams.map(({ delays }) => percentile(delays, at)));
  const key = (at: number): number => median(typed.map((keys) => percentile(keys, at)));
  return [
    rowOf(`server's write to paint, p50 (${pace})`, delay(50), "ms"),
    rowOf(`server's write to paint, p95 (${pace})`, delay(95), "ms", twoFrames),
    rowOf("key to paint while an answer comes as fast as it can, p50", key(50), "ms"),
    rowOf("key to paint while an answer comes as fast as it can, p95", key(95), "ms", twoFrames),
  ];
}

async function benchPageAlone(free: FreeProcessor | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  for (const turns of smallest ? [4] : [200, 2000]) {
    const texts = Array.from({ length: turns / 2 }, () => createSampleAnswer(2000));
    const restored = await measureRestored(texts, free);
    const asked = await measureAsked(texts, free);
    rows.push(
      rowOf(`${turns} turns opened: until all is painted`, restored.wall / 1000, "s"),
      ...tasks(`${turns} turns opened`, restored.longest.page, free),
      ...tasks(`a question behind ${turns} turns`, asked.longest.page, free),
    );
  }
  const one = await measureRestored([createSampleAnswer(smallest ? 10_000 : 1_000_000)], free);
  rows.push(...tasks("one answer of 1 MB opened", one.longest.page, free));
  const large = Object.entries(hostileAnswers).filter(([, text]) => text.length > 20_000);
  for (const [name, text] of smallest ? large.slice(0, 1) : large) {
    const { longest } = await measureArriving(text, free);
    rows.push(...tasks(name, longest.page, free));
  }
  return rows;
}

function tasks(what: string, longest: LongestTask, free: FreeProcessor | undefined): readonly Row[] {
  return taskRows(what, longest, { most: longestTask, alone: free !== undefined });
}

async function repeat<Result>(run: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let count = 0; count < runs; count += 1) results.push(await run());
  return results;
}
