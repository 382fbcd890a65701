import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("VS Code in tests", () => {
  it("refuses proposed API that an extension does not declare", () => {
    assert.throws(() => Reflect.get(vscode.lm, "embeddingModels"), /CANNOT use API proposal/);
  });
});
