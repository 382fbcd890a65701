import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// A process is started without this flag; a context that is made afterwards has the function.
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** Takes out of this process's memory what nothing leads to any more. */
export function collectGarbage(): void {
  if (typeof collect !== "function") throw new Error("This process does not let its garbage be collected.");
  collect();
  // What is freed of buffers is counted no more once the next round begins.
  collect();
}
