import assert from "node:assert/strict";
import fc from "fast-check";
import { trimText } from "../../../src/text/trimText.ts";

describe("trimText", () => {
  it("leaves a short text alone", () => {
    assert.equal(trimText("abc", 3, "start"), "abc");
  });

  it("keeps whole lines of the wanted end and says how much is missing", () => {
    const text = "one\ntwo\nthree\nfour\n";
    assert.equal(trimText(text, 10, "start"), "one\ntwo\n[11 characters left out]\n");
    assert.equal(trimText(text, 13, "end"), "[8 characters left out]\nthree\nfour\n");
  });

  it("never cuts a character in two", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 20 }),
        fc.integer({ min: 1, max: 19 }),
        (text, characters) => {
          for (const kept of ["start", "end"] as const) {
            assert.ok(trimText(text, characters, kept).isWellFormed() || !text.isWellFormed());
          }
        },
      ),
    );
  });
});
