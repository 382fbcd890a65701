import { readFile } from "node:fs/promises";
import JSZip from "jszip";
import { requireShippedFiles } from "./shippedFiles.ts";

/** Maximum bytes of the whole package. */
const largestPackage = 1_572_864;

/** @throws Error if the package is too large, has a file that must not ship, or lacks a file */
export async function requireGoodPackage(packageFile: string): Promise<void> {
  const archive = await readFile(packageFile);
  const { files } = await JSZip.loadAsync(archive);
  requireShippedFiles(Object.keys(files));
  if (archive.length > largestPackage)
    throw new Error(`The package has ${archive.length} bytes; the limit is ${largestPackage}.`);
}

/** Returns the contents of a package's files, by their names in the package. */
export async function readPackage(packageFile: string): Promise<ReadonlyMap<string, Buffer>> {
  const { files } = await JSZip.loadAsync(await readFile(packageFile));
  return new Map(
    await Promise.all(
      Object.values(files).map(async (file) => [file.name, await file.async("nodebuffer")] as const),
    ),
  );
}
