import assert from "node:assert/strict";
import { readCodeBlocks } from "../../../src/chat/code/answerFiles.ts";
import { tellFigure } from "../../support/figures.ts";
import { readSharedCases } from "./sharedCases.ts";

describe("the shared cases of code blocks", () => {
  it("produce the expected blocks", () => {
    const cases = readSharedCases("code blocks");
    const misses: unknown[] = [];
    for (const { id, input, expect } of cases) {
      assert.ok(typeof input === "string");
      const found = readCodeBlocks(input).map(({ language, text }) => [language, text]);
      try {
        assert.deepEqual(found, expect);
      } catch {
        misses.push({ id, found, expect });
      }
    }
    assert.deepEqual(misses, []);
    if (cases.length > 0) tellFigure(`cases of code blocks: all ${cases.length} right`);
  });
});
