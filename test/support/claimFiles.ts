import { open } from "node:fs/promises";
import path from "node:path";

/**
 * Yields the files that no other process has claimed, one after the other.
 * @param files the same list in each process
 * @param folder shared by the processes; an empty file for each claim, named by its index
 */
export async function* claimFiles(
  files: readonly string[],
  folder: string,
): AsyncGenerator<readonly string[]> {
  for (const [index, file] of files.entries())
    if (await claim(path.join(folder, String(index)))) yield [file];
}

/** Claims a file. Returns false if another process was first, which the file system decides. */
async function claim(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
