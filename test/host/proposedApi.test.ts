import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("the editor that tests run in", () => {
  it("refuses proposed API when an extension does not name it", () => {
    assert.throws(() => Reflect.get(vscode.lm, "embeddingModels"), /CANNOT use API proposal/);
  });
});
