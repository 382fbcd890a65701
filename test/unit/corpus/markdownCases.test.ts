import assert from "node:assert/strict";
import * as v from "valibot";
import { tellFigure } from "../../support/figures.ts";
import { blocksInParts, cut } from "../webview/markdown/drawnBlocks.ts";
import { readSharedCases, type SharedCase } from "./sharedCases.ts";

const expectSchema = v.object({ has: v.array(v.string()), lacks: v.array(v.string()) });

/** Missing and forbidden parts of an answer's HTML, rendered at once and as a stream. */
function missesOf({ input, expect }: SharedCase): readonly string[] {
  const text = v.parse(v.string(), input);
  const { has, lacks } = v.parse(expectSchema, expect);
  return [[text], cut(text, 1), cut(text, 3, 7)].flatMap((parts) => {
    const html = blocksInParts(parts).join("\n");
    // Ignores the last line break of a code block: it has no meaning, so the renderer drops it.
    return [
      ...has.filter((each) => !html.includes(each.trimEnd())).map((each) => `lacks ${each} in ${html}`),
      ...lacks.filter((each) => html.includes(each)).map((each) => `has ${each} in ${html}`),
    ];
  });
}

describe("the shared cases of Markdown", () => {
  it("produce the expected HTML", () => {
    const cases = readSharedCases("markdown");
    const missed = cases.flatMap((each) => missesOf(each).map((miss) => `${each.id}: ${miss}`));
    assert.deepEqual(missed, []);
    if (cases.length > 0) tellFigure(`shared cases: markdown, ${cases.length} of ${cases.length} right`);
  });
});
