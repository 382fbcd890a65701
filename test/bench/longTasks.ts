import type { Page } from "playwright-core";
import * as v from "valibot";
import { processesOf, startTracing } from "./tracing.ts";

/** The longest task of a main thread. */
export interface LongestTask {
  /** Milliseconds of the thread's own processor time: what other programs take meanwhile does not count. */
  readonly cpu: number;
  /** Milliseconds from its begin to its end, as `PerformanceObserver` would tell it. */
  readonly wall: number;
}

/** Of a window and the pages in it. */
export interface LongestTasks {
  /** Of the pages that have processes of their own; the window's where they share its. */
  readonly page: LongestTask;
  readonly window: LongestTask;
}

const taskEvent = v.object({
  name: v.literal("RunTask"),
  pid: v.number(),
  tid: v.number(),
  dur: v.number(),
  tdur: v.optional(v.number(), 0),
});
const threadEvent = v.object({
  name: v.literal("thread_name"),
  pid: v.number(),
  tid: v.number(),
  args: v.object({ name: v.string() }),
});

/** Records every task from now on; the result stops, and gives the longest ones. */
export async function recordTasks(page: Page): Promise<() => Promise<LongestTasks>> {
  const stop = await startTracing(page);
  return async () => {
    const events = await stop();
    const { window, frames } = processesOf(events);
    return {
      page: longestOf(events, frames.length === 0 ? [window] : frames),
      window: longestOf(events, [window]),
    };
  };
}

function longestOf(events: readonly unknown[], processes: readonly number[]): LongestTask {
  const threads = new Set<string>();
  for (const event of events) {
    const read = v.safeParse(threadEvent, event);
    if (!read.success || !processes.includes(read.output.pid)) continue;
    if (read.output.args.name === "CrRendererMain") threads.add(`${read.output.pid} ${read.output.tid}`);
  }
  let [cpu, wall] = [0, 0];
  for (const event of events) {
    const read = v.safeParse(taskEvent, event);
    if (!read.success || !threads.has(`${read.output.pid} ${read.output.tid}`)) continue;
    cpu = Math.max(cpu, read.output.tdur / 1000);
    wall = Math.max(wall, read.output.dur / 1000);
  }
  if (threads.size === 0) throw new Error("The trace names no main thread of the page.");
  return { cpu, wall };
}
