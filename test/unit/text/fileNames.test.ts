import assert from "node:assert/strict";
import { fileNameOf } from "../../../src/text/fileNames.ts";

describe("names of files that are made of titles", () => {
  const names: readonly (readonly [string, string])[] = [
    ["about lighthouses", "about lighthouses"],
    ["about lighthouses /rich", "about lighthouses rich"],
    ['what is <T> in a\\b: "c|d"?*', "what is T in a b c d"],
    ["two\nlines\tand\u202e a turn", "two lines and a turn"],
    ["../../etc/passwd", "etc passwd"],
    [".hidden", "hidden"],
    ["It ends. . .", "It ends"],
    ["灯台について", "灯台について"],
    ["???", ""],
    ["", ""],
  ];
  for (const [title, name] of names) {
    it(`takes ${JSON.stringify(title)} as ${JSON.stringify(name)}`, () => {
      assert.equal(fileNameOf(title), name);
    });
  }

  it("cuts what is long without halving a character", () => {
    assert.equal(fileNameOf("🗼".repeat(100)), "🗼".repeat(60));
  });
});
