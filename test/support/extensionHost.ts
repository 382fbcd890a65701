import { readdir, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const limit = 60_000;
const pause = 100;

/**
 * Finds the process that runs the extensions of the server's only window; Linux only. After a reload, the previous
 * host may still be ending, and no event reports its end. So this polls until only one host is running.
 */
export async function findExtensionHost(serverPid: number): Promise<number> {
  const until = performance.now() + limit;
  for (;;) {
    const [host, ...others] = await hostsOf(serverPid);
    if (host !== undefined && others.length === 0) return host;
    if (performance.now() > until)
      throw new Error(`Expected 1 extension host, found ${host === undefined ? 0 : others.length + 1}.`);
    await setTimeout(pause);
  }
}

async function hostsOf(serverPid: number): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  const hosts: number[] = [];
  for (const name of names) {
    // A process may end before its files are read.
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const words = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    parents.set(Number(name), Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0));
    if (words.includes("--type=extensionHost")) hosts.push(Number(name));
  }
  const isOfServer = (pid: number): boolean =>
    pid === serverPid || (pid > 1 && isOfServer(parents.get(pid) ?? 0));
  return hosts.filter(isOfServer);
}
