import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fakeKey } from "../unit/service/fixture.ts";
import { tellFigure } from "./figures.ts";

/** What every key of the tests begins with, in the forms it could have been written in. */
const needles = formsOfStart(fakeKey(""));
let editors = 0;
let filesSearched = 0;
let filesWithKeys = 0;

/**
 * Searches all that an editor and its browser have written, once both have ended.
 * @throws AssertionError that names the files which hold a key of the tests
 */
export async function assertNoKeysLeft(root: string): Promise<void> {
  const { found, searched } = await findKeys(root);
  if (editors === 0) process.once("exit", tellSearched);
  editors += 1;
  filesSearched += searched;
  filesWithKeys += found.length;
  assert.deepEqual(found, [], "a key was written");
}

/** The files below a folder that hold a key of the tests, and how many were searched. */
export async function findKeys(
  root: string,
): Promise<{ readonly found: readonly string[]; readonly searched: number }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
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

/** UTF-8, UTF-16, hexadecimal, and base64 at each of its three offsets, without characters that depend on what stands beside it. */
function formsOfStart(start: string): readonly Buffer[] {
  const base64 = [0, 1, 2].map((offset) => {
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + start.length) * 8) / 6);
    return Buffer.from("x".repeat(offset) + start)
      .toString("base64")
      .slice(first, end);
  });
  const texts = [start, Buffer.from(start).toString("hex"), ...base64];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(start, "utf16le")];
}
