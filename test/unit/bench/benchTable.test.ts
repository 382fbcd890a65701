import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { atLeast, atMost, type BenchRow, benchRunSchema, failedRow } from "../../bench/benchRow.ts";
import { printMarkdown, printTable } from "../../bench/benchTable.ts";
import { performanceText } from "../../bench/performanceText.ts";
import { projectRoot } from "../../support/paths.ts";

const columns = 120;

async function readLastRun() {
  const text = await readFile(path.join(projectRoot, "test", "bench", "figures.json"), "utf8");
  return v.parse(benchRunSchema, JSON.parse(text));
}

describe("the benchmark table", () => {
  const row: BenchRow = {
    number: 3,
    lines: [
      {
        what: "read",
        ours: { value: 2.3456, unit: "ms" },
        peer: { name: "client", value: 12_345.6, unit: "ms" },
        limit: { name: "bare", value: 1.9, unit: "ms" },
        ratio: 0.00019,
        goal: atMost(0.00019, 0.5),
      },
      { what: "slowest", ours: { value: 0.7, unit: "share" }, goal: atLeast(0.7, 0.8, "share") },
      { what: "lost", ours: { value: Number.NaN, unit: "ms" }, goal: atMost(Number.NaN, 100 / 3, "ms") },
    ],
    figures: [],
  };

  it("prints a line with aligned cells for each measurement", () => {
    assert.deepEqual(printTable([row]).split("\n"), [
      "what        ours          peer           limit     ratio  goal          verdict",
      "3. read     2.35 ms       client 12,346  bare 1.9  0.000  <= 0.5        holds",
      "3. slowest  0.7 share                                     >= 0.8 share  short",
      "3. lost     not measured                                  <= 33.3 ms    short",
    ]);
  });

  it("says in one line why a row failed", () => {
    const reason = `An answer does not end ${"at all ".repeat(20)}.`;
    const failed = new Error(`${reason}\nfocus: a button`);
    for (const error of [failed, new SuppressedError(new Error("closed"), failed)]) {
      const rows = [row, failedRow(4, error)];
      const last = printTable(rows).split("\n").at(-1);
      assert.equal(last, `4. not measured: ${reason}`.slice(0, columns));
      assert.ok(printMarkdown(rows).endsWith(`|\n\n${last}`));
    }
  });

  it("fits the results of the last full run into a terminal", async () => {
    const { rows } = await readLastRun();
    const lines = printTable(rows).split("\n");
    assert.ok(lines.length > 20, `${lines.length} lines`);
    assert.deepEqual(
      lines.filter(({ length }) => length > columns),
      [],
    );
  });

  it("matches docs/performance.md, which has at most 60 lines", async () => {
    const text = await readFile(path.join(projectRoot, "docs", "performance.md"), "utf8");
    assert.equal(text, performanceText(await readLastRun()));
    assert.ok(text.split("\n").length <= 60);
  });
});
