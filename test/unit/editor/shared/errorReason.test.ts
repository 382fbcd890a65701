import assert from "node:assert/strict";
import { SecretStoreError, describeReason, isCancelled } from "../../../../src/editor/shared/errorReason.ts";
import { createTranslate } from "../../../../src/text/translate.ts";

describe("the reason of an error", () => {
  const t = createTranslate();

  it("is what we say of it, and what the editor says of one that it foresees", () => {
    assert.equal(describeReason(new Error("The list is none."), t), "The list is none.");
    // As it comes out of the editor where its settings cannot be written: the code is a number of its own.
    const unwritable = Object.assign(new Error("Unable to write into user settings."), {
      name: "CodeExpectedError",
      code: 11,
    });
    assert.equal(describeReason(unwritable, t), "Unable to write into user settings.");
  });

  it("is named by its code, or not in words, where others say it in English", () => {
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    assert.equal(describeReason(full, t), "the disk is full");
    assert.equal(describeReason(new TypeError("x is not a function"), t), "an unexpected error (TypeError)");
    assert.equal(describeReason("thrown", t), "an unexpected error");
    assert.equal(describeReason(new SecretStoreError(), t), "the secret storage failed");
  });

  it("is none where the editor cancelled", () => {
    assert.ok(isCancelled(Object.assign(new Error("Canceled"), { name: "Canceled" })));
    assert.ok(!isCancelled(new Error("Canceled")));
  });
});
