import type { Page } from "playwright-core";
import { type LongestTasks, recordTasks } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";

/** What some work cost the main threads that draw a page. */
export interface PageWork {
  /** Milliseconds of their processor time. */
  readonly cpu: number;
  readonly longest: LongestTasks;
  /** Milliseconds until nothing was left to draw. */
  readonly wall: number;
}

export async function measureWork(
  page: Page,
  thread: MainThread,
  work: () => Promise<void>,
): Promise<PageWork> {
  await thread.becomesStill();
  const stop = await recordTasks(page);
  const before = await thread.time();
  const start = performance.now();
  await work();
  await thread.becomesStill();
  const wall = performance.now() - start;
  const after = await thread.time();
  return { cpu: after.cpu - before.cpu, longest: await stop(), wall };
}
