import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Megabytes by which the heap may differ between two looks at a host that is calm. */
const unrest = 0.02;
const mostLooks = 15;

// The editor starts its host without this flag; a context that is made afterwards has the function.
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** Megabytes of live objects, after the rest was collected. */
export function heapInUse(): number {
  if (typeof collect !== "function") throw new Error("This host does not let its garbage be collected.");
  collect();
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
