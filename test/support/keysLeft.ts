import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fakeKey } from "../unit/service/fixture.ts";
import { tellFigure } from "./figures.ts";
import { filesBelow, formsOf } from "./secretForms.ts";

/** The start of every test key, in each encoding that may have been written. */
const needles = formsOf(fakeKey(""));
let editors = 0;
let filesSearched = 0;
let filesWithKeys = 0;

/**
 * Searches all files that an editor and its browser have written, after both have ended.
 * @throws AssertionError that names the files with a test key
 */
export async function assertNoKeysLeft(root: string): Promise<void> {
  const { found, searched } = await findKeys(root);
  if (editors === 0) process.once("exit", tellSearched);
  editors += 1;
  filesSearched += searched;
  filesWithKeys += found.length;
  assert.deepEqual(found, [], "a key was written");
}

/** Returns the files below a folder that contain a test key, and the number of files searched. */
export async function findKeys(
  root: string,
): Promise<{ readonly found: readonly string[]; readonly searched: number }> {
  const files = await filesBelow(root);
  const found: string[] = [];
  for (const file of files) {
    const content = await readFile(file);
    if (needles.some((needle) => content.includes(needle))) found.push(path.relative(root, file));
  }
  return { found, searched: files.length };
}

function tellSearched(): void {
  tellFigure(
    `keys in what editors and browsers had written at their end: in ${filesWithKeys} of ${filesSearched} files, of ${editors} editors`,
  );
}
