/** Assigns processors to processes, if the system allows it (`taskset` of util-linux, `ps` of procps). */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A processor for one thread. This process and all its descendants run on the other processors. */
export interface FreeProcessor extends AsyncDisposable {
  /** Moves the main thread of a process to the processor; the other threads do not move. */
  giveTo(processId: number): Promise<void>;
}

/**
 * Frees the last processor until disposed; undefined if there is only one processor, or the system allows no choice.
 */
export async function freeProcessor(): Promise<FreeProcessor | undefined> {
  const all = await ownProcessors();
  const last = all.at(-1);
  if (last === undefined || all.length < 2) return undefined;
  try {
    await placeFamily(all.slice(0, -1));
  } catch {
    return undefined;
  }
  return {
    giveTo: (processId) => place([], processId, [last]),
    [Symbol.asyncDispose]: () => placeFamily(all),
  };
}

async function placeFamily(processors: readonly number[]): Promise<void> {
  const { stdout } = await run("ps", ["-e", "-o", "pid=,ppid="]);
  const family = [process.pid, ...descendantsOf(process.pid, stdout)];
  const placed = family.map((processId) => place(["--all-tasks"], processId, processors));
  // Ignores errors for descendants: they may have ended.
  await Promise.allSettled(placed.slice(1));
  await placed[0];
}

async function place(
  options: readonly string[],
  processId: number,
  processors: readonly number[],
): Promise<void> {
  await run("taskset", [...options, "--cpu-list", "--pid", processors.join(","), String(processId)]);
}

/** The processors that this process may use; empty if they are unknown or can't be chosen. */
async function ownProcessors(): Promise<readonly number[]> {
  try {
    await run("taskset", ["--version"]);
    await run("ps", ["--version"]);
    return readProcessorList(await readFile("/proc/self/status", "utf8"));
  } catch {
    return [];
  }
}

/** Reads the allowed processors, such as `0-3,8`, from the status of a process (proc_pid_status(5)). */
export function readProcessorList(status: string): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(?<list>[\d,-]+)$/m.exec(status)?.groups?.["list"];
  return (list?.split(",") ?? []).flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Returns all descendants of a process. `listed` has a line per process, with its ID and its parent's. */
export function descendantsOf(processId: number, listed: string): readonly number[] {
  const children = new Map<number, number[]>();
  for (const line of listed.trim().split("\n")) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found: number[] = [];
  const next = [processId];
  for (let each = next.pop(); each !== undefined; each = next.pop()) {
    const own = children.get(each) ?? [];
    found.push(...own);
    next.push(...own);
  }
  return found;
}
