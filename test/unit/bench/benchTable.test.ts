import assert from "node:assert/strict";
import {
  atMost,
  type BenchRow,
  failedRow,
  fullSize,
  growingAmounts,
  smallestSize,
  withGrowth,
} from "../../bench/benchRow.ts";
import { linesNotMeasured, toMarkdown, toTableLines } from "../../bench/benchTable.ts";

const row: BenchRow = {
  what: "read",
  ours: [
    { name: "ours", value: 2, unit: "ms" },
    { name: "our client", value: 6, unit: "ms" },
    { name: "heap", value: 3, unit: "MB" },
    { name: "slowest key of 9 is number", value: 4, unit: "" },
  ],
  peers: [
    { name: "bare", value: 4, unit: "ms" },
    { name: "client", value: 60, unit: "ms", beside: "our client" },
    { name: "heap", value: 6, unit: "MB" },
    { name: "bytes", value: 5, unit: "KB" },
    { name: "nothing", value: 0, unit: "ms" },
  ],
  limits: [],
  goals: [atMost("times", 0.5, 1), atMost("ms", 9, 5)],
};

describe("the table of all benches", () => {
  it("has a line for each goal, the first with the figures", () => {
    const [first, second, ...others] = toTableLines(row);
    assert.equal(first?.ours, "ours 2 ms; our client 6 ms; heap 3 MB; slowest key of 9 is number 4");
    assert.equal(first?.verdict, "holds");
    assert.equal(second?.ours, "");
    assert.equal(second?.verdict, "falls short");
    assert.deepEqual(others, []);
  });

  it("divides ours by each peer's: the one of its name, the one it names, or the first of its unit", () => {
    const [first, second] = toTableLines(row);
    assert.equal(first?.ratio, "bare: 0.5; client: 0.1; heap: 0.5");
    assert.equal(second?.ratio, "");
    assert.equal(toTableLines({ ...row, peers: [] })[0]?.ratio, "");
  });

  it("tells how amounts have grown, and nothing of places", () => {
    const larger = { ...row, ours: row.ours.map((figure) => ({ ...figure, value: figure.value * 3 })) };
    const [first, last] = withGrowth([row, larger]);
    assert.equal(first, row);
    assert.deepEqual(
      last?.ours.slice(4).map(({ name, value, unit }) => `${name}: ${value} ${unit}`),
      ["ours", "our client", "heap"].map((name) => `${name}, of that of the smallest: 3 times`),
    );
  });

  it("says of a row that failed why it did, in one line", () => {
    const failed = new Error("An answer does not end.\nfocus: a button");
    for (const error of [failed, new SuppressedError(new Error("closed"), failed)]) {
      const lines = toTableLines(failedRow(error));
      assert.deepEqual(
        lines.map(({ goal, measured, verdict }) => [goal, measured, verdict]),
        [["measured: An answer does not end.", "not measured", "falls short"]],
      );
      assert.equal(linesNotMeasured(toMarkdown(lines)).length, 1);
    }
  });

  it("has amounts of three sizes, and of two where it is only tried", () => {
    assert.deepEqual(growingAmounts(20_000, fullSize), [200, 2_000, 20_000]);
    assert.deepEqual(growingAmounts(20_000, smallestSize), [40, 400]);
  });
});
