import { readdir } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What a process holds. */
export interface HostResources {
  /** Bytes of the heap and of buffers, after rubbish was taken out. */
  readonly memory: number;
  /** Timers, sockets and the like that keep it alive, by their kind. */
  readonly active: Readonly<Record<string, number>>;
  /** Open descriptors of files and sockets; 0 where the system does not tell. */
  readonly descriptors: number;
  /** Listeners on the process itself. */
  readonly listeners: number;
}

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

export async function readHostResources(): Promise<HostResources> {
  // What is closed is told of in a later turn of the loop.
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise(setImmediate);
    if (typeof collect === "function") collect();
  }
  const active: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
  const { heapUsed, external } = process.memoryUsage();
  const descriptors = await readdir("/proc/self/fd").catch(() => []);
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { memory: heapUsed + external, active, descriptors: descriptors.length, listeners };
}
