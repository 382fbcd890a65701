import assert from "node:assert/strict";
import { SecretStoreError, describeReason, isCancelled } from "../../../../src/editor/shared/errorReason.ts";
import { createTranslate } from "../../../../src/text/translate.ts";

describe("describeReason", () => {
  const t = createTranslate();

  it("keeps messages of this extension and expected errors of VS Code", () => {
    assert.equal(describeReason(new Error("The setting is not a list."), t), "The setting is not a list.");
    // VS Code throws this error if it can't write its settings. The `code` is not a system error code.
    const unwritable = Object.assign(new Error("Unable to write into user settings."), {
      name: "CodeExpectedError",
      code: 11,
    });
    assert.equal(describeReason(unwritable, t), "Unable to write into user settings.");
  });

  it("describes system errors by their code and other errors by their class", () => {
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    assert.equal(describeReason(full, t), "the disk is full");
    assert.equal(describeReason(new TypeError("x is not a function"), t), "an unexpected error (TypeError)");
    assert.equal(describeReason("thrown", t), "an unexpected error");
    assert.equal(describeReason(new SecretStoreError(), t), "the secret storage failed");
  });

  it("recognizes a cancellation by the error's name, not its message", () => {
    assert.ok(isCancelled(Object.assign(new Error("Canceled"), { name: "Canceled" })));
    assert.ok(!isCancelled(new Error("Canceled")));
  });
});
