import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Nobody else on this machine is to read along in it. */
export async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Puts a text in the place of a file as a whole, for its owner only.
 * @param temporary a path beside it that nobody else writes
 * @throws Error of the system
 */
export async function replaceFile(path: string, temporary: string, text: string): Promise<void> {
  try {
    await makeOwnFolder(dirname(path));
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
