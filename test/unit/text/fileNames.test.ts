import assert from "node:assert/strict";
import { fileNameOf, uniqueNames } from "../../../src/text/fileNames.ts";
import fc from "fast-check";

describe("fileNameOf", () => {
  const names: readonly (readonly [string, string])[] = [
    ["about lighthouses", "about lighthouses"],
    ["about lighthouses /rich", "about lighthouses rich"],
    ['what is <T> in a\\b: "c|d"?*', "what is T in a b c d"],
    ["two\nlines\tand\u202e a turn", "two lines and a turn"],
    ["../../etc/passwd", "etc passwd"],
    [".hidden", "hidden"],
    ["It ends. . .", "It ends"],
    ["aux", "_aux"],
    ["CON", "_CON"],
    ["nul.txt and others", "_nul.txt and others"],
    ["console", "console"],
    ["灯台について", "灯台について"],
    ["???", ""],
    ["", ""],
  ];
  for (const [title, name] of names) {
    it(`turns ${JSON.stringify(title)} into ${JSON.stringify(name)}`, () => {
      assert.equal(fileNameOf(title), name);
    });
  }

  it("truncates a long title without splitting a character", () => {
    assert.equal(fileNameOf("🗼".repeat(100)), "🗼".repeat(60));
  });
});

describe("uniqueNames", () => {
  it("adds a number to a name used before", () => {
    assert.deepEqual(uniqueNames(["web", "api", "web", "web"]), ["web", "api", "web (2)", "web (3)"]);
    assert.deepEqual(uniqueNames(["web", "web", "web (2)"]), ["web", "web (3)", "web (2)"]);
  });

  it("returns no name twice, and leaves the first use of each name unchanged", () => {
    const name = fc.constantFrom("web", "web (2)", "web (3)", "web (2) (2)", "api", "");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (names) => {
        const unique = uniqueNames(names);
        assert.equal(new Set(unique).size, names.length);
        for (const [index, given] of names.entries()) {
          if (names.indexOf(given) === index) assert.equal(unique[index], given);
        }
      }),
    );
  });
});
