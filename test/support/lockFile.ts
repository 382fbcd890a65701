import { rmSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const pollInterval = 500;

/** Runs the work while no other process of this machine holds the same lock file. */
export async function withLockFile(file: string, work: () => Promise<void>): Promise<void> {
  while (!(await createLock(file))) {
    if (await ownerIsGone(file)) await rm(file, { force: true });
    // Another process holds the lock. The two share only the file system, so this polls.
    else await delay(pollInterval);
  }
  const removeWithThisProcess = () => rmSync(file, { force: true });
  process.once("exit", removeWithThisProcess);
  try {
    await work();
  } finally {
    process.off("exit", removeWithThisProcess);
    await rm(file, { force: true });
  }
}

async function createLock(file: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function ownerIsGone(file: string): Promise<boolean> {
  const owner = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  if (Number.isNaN(owner)) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
