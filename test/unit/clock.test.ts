import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { findFiles } from "../support/findFiles.ts";
import { projectRoot } from "../support/paths.ts";

/** Time that has passed by the clock on the wall. How long it is until a point in time, only that clock can say. */
const measured = /Date\.now\(\) - /;

describe("the clock on the wall", () => {
  it("measures no time that passes, since people and networks set it back", async () => {
    const files = await findFiles("src/**/*.{ts,tsx}");
    assert.ok(files.length > 100);
    const found: string[] = [];
    for (const file of files) {
      if (measured.test(await readFile(path.join(projectRoot, file), "utf8"))) found.push(file);
    }
    assert.deepEqual(found, []);
  });
});
