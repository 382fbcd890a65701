import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/** Returns the absolute path of the first of these programs on the PATH; undefined if none is there. */
export function findExecutable(...names: string[]): string | undefined {
  const suffixes = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const name of names) {
    for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
      for (const suffix of suffixes) {
        const candidate = path.join(folder, name + suffix);
        if (folder !== "" && isExecutable(candidate)) return candidate;
      }
    }
  }
  return undefined;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
