import assert from "node:assert/strict";
import fc from "fast-check";
import {
  openEndOf,
  showInvisible,
  splitAtInvisible,
  type VisiblePart,
} from "../../../src/text/invisibleCharacters.ts";

describe("splitAtInvisible", () => {
  it("names direction controls, zero-width and tag characters, and unusual spaces", () => {
    for (const code of [
      0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x061c, 0x200b,
      0x200c, 0x200d, 0x2060, 0xfeff, 0x00ad, 0xe0041, 0xe0001, 0xfe0f, 0xe0100, 0x3164, 0x115f, 0x2028,
      0x00a0, 0x0000, 0x001b, 0x0008, 0x007f, 0x009b,
    ]) {
      const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
      assert.equal(showInvisible(`a${String.fromCodePoint(code)}b`), `a[${name}]b`);
    }
  });

  it("marks a run of equal characters once", () => {
    assert.equal(showInvisible("a\u200b\u200b\u200bb"), "a[U+200B ×3]b");
  });

  it("leaves line breaks, tabs, emoji, and other scripts unchanged", () => {
    for (const text of ["a\tb\nc d", "👩‍👩‍👧 ❤️ 👍🏽 1️⃣", "Grüße, 你好　世界, שלום, سلام"]) {
      assert.equal(showInvisible(text), text);
    }
  });

  it("preserves the whole text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        assert.equal(
          splitAtInvisible(text)
            .map((part) => part.text)
            .join(""),
          text,
        );
      }),
    );
  });
});

describe("openEndOf", () => {
  const emoji = ["👩‍👩‍👧", "❤️", "👍🏽", "1️⃣", "👩🏽‍❤️‍👨🏻", "🏳️‍🌈"];

  it("keeps an emoji whole when it arrives in pieces", () => {
    for (const each of emoji) {
      assert.equal(showInPieces(Array.from(`a${each}b`)), `a${each}b`);
      assert.equal(showInPieces(`a${each}b`.split("")), `a${each}b`);
    }
  });

  it("keeps a row of emoji whole when it arrives in pieces", () => {
    const row = "👩‍👩‍👧".repeat(100);
    assert.equal(showInPieces(row.match(/.{1,3}/gs) ?? []), row);
  });

  it("is 0 after a letter, space, or sign", () => {
    for (const text of ["const one = ", "你好", "שלום;", "👩\n"]) assert.equal(openEndOf(text), 0);
  });

  it("is at most 1024 for a long row", () => {
    assert.equal(openEndOf("1".repeat(1_000_000)), 1024);
  });

  it("leads to the same marks for any split of a text", () => {
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
        const pieces: string[] = [];
        let start = 0;
        for (const length of lengths) pieces.push(whole.slice(start, (start += length)));
        pieces.push(whole.slice(start));
        assert.equal(showInPieces(pieces), showParts(splitAtInvisible(whole)));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Shows pieces as they arrive. Each piece settles the part that later pieces can't change. */
function showInPieces(pieces: readonly string[]): string {
  const parts: VisiblePart[] = [];
  let open = "";
  for (const piece of pieces) {
    const text = open + piece;
    const end = text.length - openEndOf(text);
    parts.push(...splitAtInvisible(text.slice(0, end)));
    open = text.slice(end);
  }
  return showParts([...parts, ...splitAtInvisible(open)]);
}

/** Shows a mark for each invisible character, because a split can divide a run. */
function showParts(parts: readonly VisiblePart[]): string {
  const shown = parts.map((part) => (part.type === "text" ? part.text : `[${part.name}]`.repeat(part.count)));
  return shown.join("");
}
