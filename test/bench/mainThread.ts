import type { CDPSession, Frame, Page } from "playwright-core";
import { setTimeout as wait } from "node:timers/promises";

/** What the main thread of a page has taken since it began. */
export interface MainThreadTime {
  /** Milliseconds of its own processor time, in all tasks. */
  readonly cpu: number;
  readonly script: number;
  /** Of style and layout. */
  readonly layout: number;
}

/** Looks at the thread that draws a frame, by the browser's own counters. */
export class MainThread {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page, frame: Frame | Page): Promise<MainThread> {
    const session = await page.context().newCDPSession(frame);
    // Counted by the thread's clock: what other programs do meanwhile does not count.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    return new MainThread(session);
  }

  async time(): Promise<MainThreadTime> {
    const metrics = await this.#metrics();
    const milliseconds = (name: string): number => (metrics.get(name) ?? 0) * 1000;
    return {
      cpu: milliseconds("TaskDuration"),
      script: milliseconds("ScriptDuration"),
      layout: milliseconds("LayoutDuration") + milliseconds("RecalcStyleDuration"),
    };
  }

  /** Megabytes of live objects, after the rest was collected. */
  async heap(): Promise<number> {
    await this.#session.send("HeapProfiler.collectGarbage");
    const metrics = await this.#metrics();
    return (metrics.get("JSHeapUsedSize") ?? 0) / 1e6;
  }

  /** Resolves once the thread has next to nothing to do. */
  async becomesStill(): Promise<void> {
    for (let still = 0, last = await this.time(); still < 3;) {
      await wait(100);
      const now = await this.time();
      still = now.cpu - last.cpu < 4 ? still + 1 : 0;
      last = now;
    }
  }

  get session(): CDPSession {
    return this.#session;
  }

  async #metrics(): Promise<ReadonlyMap<string, number>> {
    const { metrics } = await this.#session.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value]));
  }
}
