import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { lstat } from "node:fs";

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

/** What tells that a file has changed since it was read. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
}

/**
 * The stamps of files, in their order; undefined where there is no such file, or something else in its
 * place. By callbacks, since a promise for each of ten thousand files doubles the time.
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

/** Whether the system gave this code, such as `ENOENT`. */
export function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
