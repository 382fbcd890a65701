import assert from "node:assert/strict";
import { exitCodeOf, rowOf, shortfallOf, taskRows } from "../../bench/table.ts";

describe("a bench's table", () => {
  const met = rowOf("quick", 10, "ms", 33);
  const missed = rowOf("slow", 40, "ms", 33);

  it("ends with 1 where a goal is not met, but not at its smallest", () => {
    assert.equal(exitCodeOf([met, rowOf("no goal", 1000, "s")], false), 0);
    assert.equal(exitCodeOf([met, missed], false), 1);
    assert.equal(exitCodeOf([met, rowOf("nothing measured", Number.NaN, "ms", 33)], false), 1);
    assert.equal(exitCodeOf([met, missed], true), 0);
    assert.equal(shortfallOf([met, missed]), "Falls short: slow (40.0 ms, at most 33 ms)");
  });

  it("judges a long task by its duration where its thread had a processor to itself", () => {
    const goal = { most: 50, alone: true };
    assert.equal(shortfallOf(taskRows("a page", { cpu: 20, wall: 40 }, goal)), undefined);
    assert.match(shortfallOf(taskRows("a page", { cpu: 20, wall: 60 }, goal)) ?? "", /duration \(60\.0 ms/);
  });

  it("judges a long task by its CPU time in any case, and shows its duration", () => {
    const goal = { most: 50, alone: false };
    const rows = taskRows("a page", { cpu: 20, wall: 900 }, goal);
    assert.equal(shortfallOf(rows), undefined);
    assert.match(rows[0]?.what ?? "", /duration \(not judged\)/);
    assert.equal(exitCodeOf(taskRows("a page", { cpu: 60, wall: 60 }, goal), false), 1);
  });
});
