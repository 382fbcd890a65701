import assert from "node:assert/strict";
import { findByName, settleNames } from "../../../../src/chat/prompts/samePromptNames.ts";

interface Found {
  readonly kind: "prompt" | "problem";
  readonly name: string;
  readonly file: string;
}

const refused: string[] = [];

function settle(...prompts: readonly Found[]): readonly Found[] {
  refused.length = 0;
  return settleNames(prompts, (prompt, first) => {
    refused.push(`${prompt.file} for ${first.file}`);
    return { ...prompt, kind: "problem" };
  });
}

const form: Found = { kind: "prompt", name: "form", file: "a" };
const again: Found = { ...form, file: "b" };
const broken: Found = { ...form, kind: "problem", file: "broken" };

describe("prompt files of one name", () => {
  it("leave the name to the first, and each further one is a problem of its own", () => {
    const other: Found = { ...form, name: "other", file: "c" };
    const settled = settle(form, again, other, { ...form, file: "d" });
    assert.deepEqual(
      settled.map(({ kind }) => kind),
      ["prompt", "problem", "prompt", "problem"],
    );
    assert.deepEqual(refused, ["b for a", "d for a"]);
    assert.equal(findByName(settled, "form"), form);
    assert.equal(findByName(settled, "other"), other);
  });

  it("do not lose it to one that cannot be used", () => {
    const settled = settle(broken, again);
    assert.deepEqual(settled, [broken, again]);
    assert.deepEqual(refused, []);
    assert.equal(findByName(settled, "form"), again);
  });

  it("are found by what is wrong with the first where none can be used", () => {
    assert.equal(findByName(settle(broken, { ...broken, file: "too" }), "form"), broken);
    assert.equal(findByName(settle(form), "nothing"), undefined);
  });
});
