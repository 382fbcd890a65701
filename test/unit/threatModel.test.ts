import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { tellFigure } from "../support/figures.ts";
import { projectRoot } from "../support/paths.ts";

interface Row {
  readonly threat: string;
  readonly shownBy: string;
}

/** The attackers of the threat model. */
const chapters = [
  "A malicious repository, trusted or not",
  "A malicious or compromised server",
  "A model's output with instructions in it",
  "A man in the middle",
  "Another extension",
  "A shared screen",
  "A stolen disk",
];

/** Matches `folder/file` in backticks, a colon, and words of the test's title. */
const named = /`((?:unit|page|host|e2e|nightly|faults)\/[\w/]+)`: ([^;|]+)/g;

function readRows(text: string): readonly Row[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|\s*(?:-|What could)/.test(line))
    .map((line) => {
      const [, threat = "", , shownBy = ""] = line.split("|");
      return { threat: threat.trim(), shownBy };
    });
}

describe("the threat model", () => {
  it("names existing tests for each threat", async () => {
    const text = await readFile(path.join(projectRoot, "SECURITY.md"), "utf8");
    const rows = readRows(text);
    assert.ok(rows.length >= 30, `${rows.length} lines`);
    for (const chapter of chapters) assert.ok(text.includes(`\n## ${chapter}\n`), chapter);
    for (const { threat, shownBy } of rows) {
      const tests = [...shownBy.matchAll(named)];
      assert.ok(tests.length > 0, `nothing shows: ${threat}`);
      for (const [, file = "", title = ""] of tests) {
        const source = await readFile(path.join(projectRoot, "test", `${file}.test.ts`), "utf8");
        const titled = new RegExp(`\\b(?:it\\w*|describe)\\(\\s*["\`].*${RegExp.escape(title.trim())}`);
        assert.match(source, titled, `${file} has no test "${title.trim()}"`);
      }
    }
    tellFigure(
      `threat model: ${rows.length} threats by ${chapters.length} kinds of attackers, each with its tests`,
    );
  });
});
