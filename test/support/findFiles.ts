import { glob } from "node:fs/promises";
import { projectRoot } from "./paths.ts";

/** Returns the matching files as sorted paths from the project root. */
export async function findFiles(pattern: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: projectRoot })) files.push(file);
  return files.sort();
}
