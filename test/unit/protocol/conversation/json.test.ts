import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeJson } from "../../../../src/protocol/conversation/json.ts";

/** What JSON writes as an escape, what looks like one, and halves that may come to a character. */
const texts = fc.string({
  unit: fc.constantFrom("\ud83d", "\ude00", "\udfff", "\\", "ud83d", '"', "\n", "é"),
});

describe("what is sent, as JSON", () => {
  it("has U+FFFD in the place of half a character, and is unchanged otherwise", () => {
    fc.assert(
      fc.property(texts, texts, (name, text) => {
        const [whole, wholeName] = [text.toWellFormed(), name.toWellFormed()];
        assert.deepEqual(JSON.parse(encodeJson({ [name]: [text, 1] })), { [wholeName]: [whole, 1] });
        assert.equal(encodeJson({ [wholeName]: whole }), JSON.stringify({ [wholeName]: whole }));
      }),
    );
  });

  it("keeps what is written like half a character", () => {
    const written = ["\\ud83d", "\\\\ud83d", "\\\ud83d"];
    assert.deepEqual(JSON.parse(encodeJson(written)), ["\\ud83d", "\\\\ud83d", "\\\ufffd"]);
  });
});
