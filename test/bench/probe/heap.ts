import { setTimeout as wait } from "node:timers/promises";
import { collectGarbage } from "../../support/collectGarbage.ts";

/** Largest change, in megabytes, between two checks of a stable heap. */
const unrest = 0.02;
const mostLooks = 15;

/** Megabytes of live objects after garbage collection. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Resolves when the heap has become stable, or after 15 checks, 250 ms apart. */
export async function becomesCalm(): Promise<void> {
  let last = heapInUse();
  for (let looks = 0, calm = 0; calm < 2 && looks < mostLooks; looks += 1) {
    await wait(250);
    const now = heapInUse();
    calm = Math.abs(now - last) < unrest ? calm + 1 : 0;
    last = now;
  }
}
