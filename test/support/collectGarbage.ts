import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Sets the flag in the running process, so only contexts created afterwards have the function `gc`.
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** Frees unreachable objects in the memory of this process. Throws if the engine does not allow that. */
export function collectGarbage(): void {
  if (typeof collect !== "function") throw new Error("This process can't collect garbage.");
  collect();
  // Freed buffers no longer count once the next collection begins.
  collect();
}
