import type { CDPSession, Page } from "playwright-core";
import * as v from "valibot";

/** The processes whose main threads are measured. */
export interface PageProcesses {
  /** The process of the page's main frame. */
  readonly window: number;
  /** The processes of the page's other frames, except the window's process. */
  readonly frames: readonly number[];
}

const startEvent = v.object({
  name: v.literal("TracingStartedInBrowser"),
  args: v.object({
    data: v.object({
      frames: v.array(v.object({ processId: v.number(), parent: v.optional(v.string()) })),
    }),
  }),
});

/** Starts to record what the browser's threads do. The returned function stops the recording and returns the events. */
export async function startTracing(page: Page): Promise<() => Promise<readonly unknown[]>> {
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
    return events;
  };
}

/** Returns the processes that drew the frames when the recording began. Throws if the events don't name them. */
export function processesOf(events: readonly unknown[]): PageProcesses {
  const started = events.flatMap((event) => {
    const read = v.safeParse(startEvent, event);
    return read.success ? read.output.args.data.frames : [];
  });
  const window = started.find(({ parent }) => parent === undefined)?.processId;
  if (window === undefined) throw new Error("The trace does not name its frames.");
  const frames = new Set(started.map(({ processId }) => processId).filter((id) => id !== window));
  return { window, frames: [...frames] };
}

/** Finds the processes that draw a page and its frames, with a short trace. */
export async function askProcesses(page: Page): Promise<PageProcesses> {
  const stop = await startTracing(page);
  return processesOf(await stop());
}

async function stopTracing(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => {
    session.once("Tracing.tracingComplete", () => resolve());
  });
  await session.send("Tracing.end");
  await complete;
}
