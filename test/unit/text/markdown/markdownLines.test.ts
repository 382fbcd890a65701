import assert from "node:assert/strict";
import { isTableHead, readFence } from "../../../../src/text/markdown/markdownLines.ts";
import { processorTime } from "../../processorTime.ts";

describe("Markdown lines", () => {
  it("start a table if the next line has a delimiter for each cell", () => {
    for (const delimiters of ["|---|---|", "--- | ---", "|:-: | --: |  ", " | - | :-  |"])
      assert.ok(isTableHead("| a | b |", delimiters), delimiters);
    for (const delimiters of ["|---|---||", "|---|", "|---|--- x", "|---|---| |", "||---|---|"])
      assert.ok(!isTableHead("| a | b |", delimiters), delimiters);
  });

  it("start a fence with an info string", () => {
    assert.deepEqual(readFence(" ~~~~ js ~~~"), { indent: 1, mark: "~~~~", info: "js ~~~" });
    assert.deepEqual(readFence("````js"), { indent: 0, mark: "````", info: "js" });
    assert.equal(readFence("``` `a`"), undefined);
  });

  const slow: Readonly<Record<string, () => unknown>> = {
    "delimiters with blanks": () => isTableHead("| a |", `|---${" ".repeat(200_000)}x`),
    "a fence of tildes": () => readFence(`${"~".repeat(200_000)}\u2028`),
  };
  for (const [name, read] of Object.entries(slow)) {
    it(`are read in linear time: ${name}`, () => {
      const time = processorTime(read);
      assert.ok(time < 2000, `${time} ms`);
    });
  }
});
