import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { findFiles } from "../support/findFiles.ts";
import { projectRoot } from "../support/paths.ts";

/** Elapsed time from the system clock. Only the time until a date may be computed with that clock. */
const measured = /Date\.now\(\) - /;

describe("the system clock", () => {
  it("never measures elapsed time, because users and networks can set it back", async () => {
    const files = await findFiles("src/**/*.{ts,tsx}");
    assert.ok(files.length > 100);
    const found: string[] = [];
    for (const file of files) {
      if (measured.test(await readFile(path.join(projectRoot, file), "utf8"))) found.push(file);
    }
    assert.deepEqual(found, []);
  });
});
