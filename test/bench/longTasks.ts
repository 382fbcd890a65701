import type { Page } from "playwright-core";
import * as v from "valibot";
import { processesOf, startTracing } from "./tracing.ts";

export interface LongestTask {
  /** Milliseconds of the thread's own processor time, without the time that other programs take. */
  readonly cpu: number;
  /** Milliseconds from start to end, as `PerformanceObserver` would report. */
  readonly wall: number;
}

/** The longest tasks of a window and its pages. */
export interface LongestTasks {
  /** Of the pages with their own processes; same as `window` if the pages share the window's process. */
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

/** Starts to record every task. The returned function stops the recording and returns the longest tasks. */
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
  if (threads.size === 0) throw new Error("The trace has no main thread of the page.");
  return { cpu, wall };
}
