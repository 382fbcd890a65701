import { lstat } from "node:fs";
import { isErrorCode } from "./fileErrors.ts";

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
