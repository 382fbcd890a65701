import type { LongestTask } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { median } from "./statistics.ts";
import { measureStream, type StreamCost, type StreamDesk } from "./streams.ts";

/** What an answer of a size cost: medians. */
export interface SizedCost extends StreamCost {
  /** KB. */
  readonly size: number;
  /** Milliseconds of the main thread's processor time, without what an answer of one word costs. */
  readonly perKilobyte: number;
  /** Milliseconds that the longest task of the page lasted in all of the answers: no median. */
  readonly longestOfAll: number;
}

export interface StreamSizes {
  /** KB. */
  readonly sizes: readonly number[];
  readonly runs: number;
  /** Answers of the smallest size ahead of all, which load and warm up what all others use. */
  readonly warmUps: number;
}

/** Answers of some sizes, each as fast as it can come. */
export async function measureSizes(
  desk: StreamDesk,
  thread: MainThread,
  { sizes, runs, warmUps }: StreamSizes,
): Promise<readonly SizedCost[]> {
  const repeat = async (times: number, answer: string): Promise<readonly StreamCost[]> => {
    const costs: StreamCost[] = [];
    for (let count = 0; count < times; count += 1) costs.push(await measureStream(desk, thread, answer));
    return costs;
  };
  await repeat(warmUps, createSampleAnswer(Math.min(...sizes) * 1000));
  // What an answer of one word costs is no growth.
  const short = median((await repeat(runs, "Yes.")).map(({ cpu }) => cpu));
  const measured: SizedCost[] = [];
  for (const size of sizes) {
    const all = await repeat(runs, createSampleAnswer(size * 1000));
    const of = (read: (cost: StreamCost) => number): number => median(all.map(read));
    const cpu = of((cost) => cost.cpu);
    measured.push({
      size,
      cpu,
      perKilobyte: (cpu - short) / size,
      wall: of(({ wall }) => wall),
      longest: {
        page: taskOf(of, ({ longest }) => longest.page),
        window: taskOf(of, ({ longest }) => longest.window),
      },
      longestOfAll: Math.max(...all.map(({ longest }) => longest.page.wall)),
      heap: of(({ heap }) => heap),
    });
  }
  return measured;
}

function taskOf(
  of: (read: (cost: StreamCost) => number) => number,
  read: (cost: StreamCost) => LongestTask,
): LongestTask {
  return { cpu: of((cost) => read(cost).cpu), wall: of((cost) => read(cost).wall) };
}
