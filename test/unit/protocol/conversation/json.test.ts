import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeJson } from "../../../../src/protocol/conversation/json.ts";

/** Texts with characters that JSON escapes, with look-alikes of escapes, and with single surrogates. */
const texts = fc.string({
  unit: fc.constantFrom("\ud83d", "\ude00", "\udfff", "\\", "ud83d", '"', "\n", "é"),
});

describe("encodeJson", () => {
  it("replaces single surrogates with U+FFFD and changes nothing else", () => {
    fc.assert(
      fc.property(texts, texts, (name, text) => {
        const [whole, wholeName] = [text.toWellFormed(), name.toWellFormed()];
        assert.deepEqual(JSON.parse(encodeJson({ [name]: [text, 1] })), { [wholeName]: [whole, 1] });
        assert.equal(encodeJson({ [wholeName]: whole }), JSON.stringify({ [wholeName]: whole }));
      }),
    );
  });

  it("keeps text that looks like an escaped surrogate", () => {
    const written = ["\\ud83d", "\\\\ud83d", "\\\ud83d"];
    assert.deepEqual(JSON.parse(encodeJson(written)), ["\\ud83d", "\\\\ud83d", "\\\ufffd"]);
  });
});
