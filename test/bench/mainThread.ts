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

/** Looks at the threads that draw frames, by the browser's own counters. What they take is added up. */
export class MainThread {
  readonly #sessions: readonly CDPSession[];

  private constructor(sessions: readonly CDPSession[]) {
    this.#sessions = sessions;
  }

  /** @param frames each in a process of its own */
  static async of(...frames: readonly (Frame | Page)[]): Promise<MainThread> {
    const sessions = await Promise.all(frames.map(openSession));
    return new MainThread(sessions);
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
    await Promise.all(this.#sessions.map((session) => session.send("HeapProfiler.collectGarbage")));
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

  async #metrics(): Promise<ReadonlyMap<string, number>> {
    const sum = new Map<string, number>();
    for (const session of this.#sessions) {
      const { metrics } = await session.send("Performance.getMetrics");
      for (const { name, value } of metrics) sum.set(name, (sum.get(name) ?? 0) + value);
    }
    return sum;
  }
}

async function openSession(frame: Frame | Page): Promise<CDPSession> {
  const page = "mainFrame" in frame ? frame : frame.page();
  const session = await page.context().newCDPSession(frame);
  // Counted by the thread's clock: what other programs do meanwhile does not count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return session;
}
