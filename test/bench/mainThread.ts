import type { CDPSession, Frame, Page } from "playwright-core";
import { setTimeout as wait } from "node:timers/promises";

/** Adds up the processor time of the threads that draw frames, by the browser's own counters. */
export class MainThread {
  readonly #sessions: readonly CDPSession[];

  private constructor(sessions: readonly CDPSession[]) {
    this.#sessions = sessions;
  }

  /** @param frames frames that each have their own process */
  static async of(...frames: readonly (Frame | Page)[]): Promise<MainThread> {
    const sessions = await Promise.all(frames.map(openSession));
    return new MainThread(sessions);
  }

  /** Milliseconds of processor time in all tasks since the page began. */
  async time(): Promise<number> {
    let seconds = 0;
    for (const session of this.#sessions) {
      const { metrics } = await session.send("Performance.getMetrics");
      seconds += metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
    }
    return seconds * 1000;
  }

  /** Resolves when the threads are almost idle. */
  async becomesStill(): Promise<void> {
    for (let still = 0, last = await this.time(); still < 3;) {
      await wait(100);
      const now = await this.time();
      still = now - last < 4 ? still + 1 : 0;
      last = now;
    }
  }
}

async function openSession(frame: Frame | Page): Promise<CDPSession> {
  const page = "mainFrame" in frame ? frame : frame.page();
  const session = await page.context().newCDPSession(frame);
  // Counts by the thread's clock: the time that other programs take does not count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return session;
}
