import type { CDPSession, Page } from "playwright-core";
import * as v from "valibot";

/** Whose main threads are looked at. */
export interface PageProcesses {
  /** The process of the page's main frame. */
  readonly window: number;
  /** The processes of frames in it that have others. */
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

/** Records what the browser's threads do from now on; the result stops, and gives the events. */
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

/** Which processes drew the frames when these events began. */
export function processesOf(events: readonly unknown[]): PageProcesses {
  const started = events.flatMap((event) => {
    const read = v.safeParse(startEvent, event);
    return read.success ? read.output.args.data.frames : [];
  });
  const window = started.find(({ parent }) => parent === undefined)?.processId;
  if (window === undefined) throw new Error("The browser does not tell what it traces.");
  const frames = new Set(started.map(({ processId }) => processId).filter((id) => id !== window));
  return { window, frames: [...frames] };
}

/** The processes that draw a page and the frames in it, asked by a short trace. */
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
