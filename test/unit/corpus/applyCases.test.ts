import assert from "node:assert/strict";
import * as v from "valibot";
import { placeSnippet } from "../../../src/chat/edits/snippetPlacement.ts";
import { tellFigure } from "../../support/figures.ts";
import { readSharedCases } from "./sharedCases.ts";

const inputSchema = v.object({ file: v.string(), code: v.string(), cursor: v.number() });
const expectSchema = v.union([
  v.object({ text: v.string() }),
  v.object({ contains: v.array(v.string()), lacks: v.optional(v.array(v.string()), []) }),
]);

function isRight(text: string, expected: v.InferOutput<typeof expectSchema>): boolean {
  if ("text" in expected) return text === expected.text;
  return (
    expected.contains.every((part) => text.includes(part)) &&
    !expected.lacks.some((part) => text.includes(part))
  );
}

describe("the shared cases of applied code", () => {
  it("produce the expected text", () => {
    const cases = readSharedCases("apply");
    const misses: unknown[] = [];
    for (const { id, input, expect } of cases) {
      const { file, code, cursor } = v.parse(inputSchema, input);
      const { kind, text } = placeSnippet(file, code, cursor);
      if (!isRight(text, v.parse(expectSchema, expect))) misses.push({ id, kind, text, expect });
    }
    assert.deepEqual(misses, []);
    if (cases.length > 0) tellFigure(`cases of applied code: all ${cases.length} right`);
  });
});
