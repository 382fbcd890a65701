import type { Page } from "playwright-core";
import { ChangeProbe, type DrawnPlace } from "./changeProbe.ts";
import { type LongestTasks, recordTasks } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";
import { nowInEpoch } from "./paintProbe.ts";

/** What some work cost the main threads that draw a page. */
export interface PageWork {
  /** Milliseconds of their processor time. */
  readonly cpu: number;
  readonly longest: LongestTasks;
}

/** What it cost to draw something. */
export interface Drawing extends PageWork {
  /** Milliseconds until the last change was painted. */
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
  await work();
  await thread.becomesStill();
  const after = await thread.time();
  return { cpu: after.cpu - before.cpu, longest: await stop() };
}

/** The same for work that has something drawn, whose end the page tells: the bench itself looks only now and then. */
export async function measureDrawing(
  page: Page,
  thread: MainThread,
  place: DrawnPlace,
  work: () => Promise<void>,
): Promise<Drawing> {
  await using probe = await ChangeProbe.in(place);
  let start = Number.NaN;
  const cost = await measureWork(page, thread, async () => {
    start = nowInEpoch();
    await work();
  });
  return { ...cost, wall: (await probe.lastAt()) - start };
}
