import { glob } from "node:fs/promises";
import { projectRoot } from "./paths.ts";

/** Paths from the project's root of the files that match, sorted. */
export async function findFiles(pattern: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: projectRoot })) files.push(file);
  return files.sort();
}
