import { readdir, readFile } from "node:fs/promises";

/** The process in which the extensions of the server's only window run; Linux only. */
export async function findExtensionHost(serverPid: number): Promise<number> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  const hosts: number[] = [];
  for (const name of names) {
    // A process may end while it is looked at.
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    const words = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    parents.set(Number(name), Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0));
    if (words.includes("--type=extensionHost")) hosts.push(Number(name));
  }
  const isOfServer = (pid: number): boolean =>
    pid === serverPid || (pid > 1 && isOfServer(parents.get(pid) ?? 0));
  const own = hosts.filter(isOfServer);
  if (own[0] === undefined || own.length > 1) throw new Error(`${own.length} extension hosts are running.`);
  return own[0];
}
