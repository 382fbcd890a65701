import { setTimeout as wait } from "node:timers/promises";
import { collectGarbage } from "../../support/collectGarbage.ts";

/** Megabytes by which the heap may differ between two looks at a host that is calm. */
const unrest = 0.02;
const mostLooks = 15;

/** Megabytes of live objects, after the rest was collected. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Resolves once the host keeps nothing more than it did, or after some seconds in which it never did so. */
export async function becomesCalm(): Promise<void> {
  let last = heapInUse();
  for (let looks = 0, calm = 0; calm < 2 && looks < mostLooks; looks += 1) {
    await wait(250);
    const now = heapInUse();
    calm = Math.abs(now - last) < unrest ? calm + 1 : 0;
    last = now;
  }
}
