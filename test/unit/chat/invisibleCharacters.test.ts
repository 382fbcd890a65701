import assert from "node:assert/strict";
import fc from "fast-check";
import { showInvisible, splitAtInvisible } from "../../../src/chat/invisibleCharacters.ts";

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
