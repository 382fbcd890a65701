import type { CDPSession, Page } from "playwright-core";
import * as v from "valibot";

/** The longest task of a page's main thread. */
export interface LongestTask {
  /** Milliseconds of the thread's own processor time: what other programs take meanwhile does not count. */
  readonly cpu: number;
  /** Milliseconds from its begin to its end, as `PerformanceObserver` would tell it. */
  readonly wall: number;
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
export async function recordTasks(page: Page): Promise<() => Promise<LongestTask>> {
  const session = await page.context().newCDPSession(page);
  const events: unknown[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline"], excludedCategories: ["*"] },
  });
  return async () => {
    await stopTracing(session);
    await session.detach();
    return longestOf(events);
  };
}

async function stopTracing(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => {
    session.once("Tracing.tracingComplete", () => resolve());
  });
  await session.send("Tracing.end");
  await complete;
}

function longestOf(events: readonly unknown[]): LongestTask {
  const pageThreads = new Set<string>();
  for (const event of events) {
    const read = v.safeParse(threadEvent, event);
    if (read.success && read.output.args.name === "CrRendererMain") {
      pageThreads.add(`${read.output.pid} ${read.output.tid}`);
    }
  }
  let [cpu, wall] = [0, 0];
  for (const event of events) {
    const read = v.safeParse(taskEvent, event);
    if (!read.success || !pageThreads.has(`${read.output.pid} ${read.output.tid}`)) continue;
    cpu = Math.max(cpu, read.output.tdur / 1000);
    wall = Math.max(wall, read.output.dur / 1000);
  }
  return { cpu, wall };
}
