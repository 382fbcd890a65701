import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { lstat } from "node:fs";

/** Creates a folder and its missing parents so that only the owner can access them (mode 0700). */
export async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Replaces a file atomically. The new file is readable by its owner only (mode 0600).
 * @param temporary a path next to the file that no other process writes
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

/** Size and modification time, to detect that a file has changed since it was read. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
}

/**
 * Returns the stamps of files in the same order; undefined for a missing or not regular file. Rejects with any other
 * error of the system. Uses callbacks, because a promise per file doubles the time for 10,000 files.
 */
export function readStamps(paths: readonly string[]): Promise<readonly (FileStamp | undefined)[]> {
  return new Promise((resolve, reject) => {
    const stamps: (FileStamp | undefined)[] = paths.map(() => undefined);
    let waiting = paths.length;
    if (waiting === 0) resolve(stamps);
    for (const [index, path] of paths.entries()) {
      lstat(path, (error, stats) => {
        if (error !== null && !isErrorCode(error, "ENOENT")) reject(error);
        else if (error === null && stats.isFile()) {
          stamps[index] = { size: stats.size, mtimeMs: stats.mtimeMs };
        }
        waiting -= 1;
        if (waiting === 0) resolve(stamps);
      });
    }
  });
}

/** Whether an error of the system has this code, such as `ENOENT`. */
export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
