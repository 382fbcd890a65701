import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../support/paths.ts";

interface Row {
  readonly threat: string;
  readonly shownBy: string;
}

/** `folder/file`: words of the test's title. */
const named = /`((?:unit|host|e2e|faults)\/[\w/]+)`: ([^;|]+)/g;

async function readRows(): Promise<readonly Row[]> {
  const text = await readFile(path.join(projectRoot, "SECURITY.md"), "utf8");
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|\s*(?:-|What could)/.test(line))
    .map((line) => {
      const [, threat = "", , shownBy = ""] = line.split("|");
      return { threat: threat.trim(), shownBy };
    });
}

describe("the threat model", () => {
  it("names a test for each of its lines, and each of these tests exists", async () => {
    const rows = await readRows();
    assert.ok(rows.length >= 30, `${rows.length} lines`);
    for (const { threat, shownBy } of rows) {
      const tests = [...shownBy.matchAll(named)];
      assert.ok(tests.length > 0, `nothing shows: ${threat}`);
      for (const [, file = "", title = ""] of tests) {
        const source = await readFile(path.join(projectRoot, "test", `${file}.test.ts`), "utf8");
        const titled = new RegExp(`\\b(?:it|describe)\\(\\s*["\`].*${RegExp.escape(title.trim())}`);
        assert.match(source, titled, `${file} has no test "${title.trim()}"`);
      }
    }
  });
});
