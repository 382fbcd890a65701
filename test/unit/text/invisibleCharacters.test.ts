import assert from "node:assert/strict";
import fc from "fast-check";
import {
  openEndOf,
  showInvisible,
  splitAtInvisible,
  type VisiblePart,
} from "../../../src/text/invisibleCharacters.ts";

describe("splitAtInvisible", () => {
  it("names controls of direction, zero-width and tag characters, and strange spaces", () => {
    for (const code of [
      0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x061c, 0x200b,
      0x200c, 0x200d, 0x2060, 0xfeff, 0x00ad, 0xe0041, 0xe0001, 0xfe0f, 0xe0100, 0x3164, 0x115f, 0x2028,
      0x00a0, 0x0000, 0x001b, 0x0008, 0x007f, 0x009b,
    ]) {
      const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
      assert.equal(showInvisible(`a${String.fromCodePoint(code)}b`), `a[${name}]b`);
    }
  });

  it("counts a run as one mark", () => {
    assert.equal(showInvisible("a\u200b\u200b\u200bb"), "a[U+200B ×3]b");
  });

  it("leaves what is seen: line breaks, tabs, emoji, other scripts", () => {
    for (const text of ["a\tb\nc d", "👩‍👩‍👧 ❤️ 👍🏽 1️⃣", "Grüße, 你好　世界, שלום, سلام"]) {
      assert.equal(showInvisible(text), text);
    }
  });

  it("loses nothing of a text", () => {
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

  it("leaves an emoji whole when it arrives in pieces", () => {
    for (const each of emoji) {
      assert.equal(showInPieces(Array.from(`a${each}b`)), `a${each}b`);
      assert.equal(showInPieces(`a${each}b`.split("")), `a${each}b`);
    }
  });

  it("leaves the emoji of a row whole when it arrives in pieces", () => {
    const row = "👩‍👩‍👧".repeat(100);
    assert.equal(showInPieces(row.match(/.{1,3}/gs) ?? []), row);
  });

  it("leaves no letter, blank or sign open", () => {
    for (const text of ["const one = ", "你好", "שלום;", "👩\n"]) assert.equal(openEndOf(text), 0);
  });

  it("leaves little of a long row open", () => {
    assert.equal(openEndOf("1".repeat(1_000_000)), 1024);
  });

  it("marks the same characters wherever a text is cut", () => {
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

/** Settles with each piece what no later one changes. */
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

/** A mark for each invisible character: a cut may part a run of them. */
function showParts(parts: readonly VisiblePart[]): string {
  const shown = parts.map((part) => (part.type === "text" ? part.text : `[${part.name}]`.repeat(part.count)));
  return shown.join("");
}
