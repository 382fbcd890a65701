import assert from "node:assert/strict";
import fc from "fast-check";
import { splitAtInvisible, type VisiblePart } from "../../../src/chat/invisibleCharacters.ts";
import { ArrivingCharacters } from "../../../src/webview/arrivingCharacters.ts";

function cutInPieces(pieces: readonly string[]): readonly VisiblePart[] {
  const characters = new ArrivingCharacters();
  return [...pieces.flatMap((piece) => characters.push(piece)), ...characters.end()];
}

/** What is seen and what is not, however many pieces it came in. */
function told(parts: readonly VisiblePart[]): string {
  const marked = parts.map((part) =>
    part.type === "text" ? part.text : `[${part.name}]`.repeat(part.count),
  );
  return marked.join("");
}

const family = "👩‍👩‍👧";

describe("ArrivingCharacters", () => {
  it("finds nothing invisible in an emoji, wherever it is cut", () => {
    for (const emoji of [family, "❤️", "👍🏽", "1️⃣", "👩🏽‍❤️‍👨🏻", "🏳️‍🌈"]) {
      assert.equal(told(cutInPieces(Array.from(emoji))), emoji);
      assert.equal(told(cutInPieces(emoji.split(""))), emoji);
    }
  });

  it("marks what joins nothing, once it is known", () => {
    assert.equal(told(cutInPieces(["👩", "\u200d", "x"])), "👩[U+200D]x");
    assert.equal(told(cutInPieces(["👩", "\u200d"])), "👩[U+200D]");
    assert.equal(told(cutInPieces(["1", "\ufe0f", "2"])), "1[U+FE0F]2");
    assert.equal(told(cutInPieces(["a", "\u200d", "👩"])), "a[U+200D]👩");
  });

  it("gives out at once all that is seen", () => {
    const characters = new ArrivingCharacters();
    assert.equal(told(characters.push("const one = 1")), "const one = 1");
    assert.equal(told(characters.push("0; // 👩")), "0; // 👩");
    assert.deepEqual(characters.push("\u200d"), []);
    assert.equal(told(characters.push("👧")), "\u200d👧");
  });

  it("cuts as a text is cut that comes in one", () => {
    const bits = [
      "👩",
      "👍",
      "🏽",
      "❤",
      "\ufe0f",
      "\u200d",
      "\u20e3",
      "1",
      "#",
      "a",
      "\n",
      "\u200b",
      "\u{e0041}",
    ];
    const text = fc.array(fc.constantFrom(...bits), { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(4), { minLength: 24, maxLength: 24 }), (whole, lengths) => {
        const pieces = lengths.map((length, index) => {
          const start = lengths.slice(0, index).reduce((sum, each) => sum + each, 0);
          return index === lengths.length - 1 ? whole.slice(start) : whole.slice(start, start + length);
        });
        assert.equal(told(cutInPieces(pieces)), told(splitAtInvisible(whole)));
      }),
      { numRuns: 2000 },
    );
  });
});
