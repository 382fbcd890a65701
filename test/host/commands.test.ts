import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";

const extensionId = "inference-chat.inference-chat";

describe("the extension in VS Code", () => {
  it("activates", async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension !== undefined);
    await extension.activate();
    assert.ok(extension.isActive);
  });

  it("registers exactly the commands in its package.json", async () => {
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith("inference.") && !id.startsWith("inference.chat."),
    );
    assert.deepEqual(registered.sort(), Object.values(commandIds).sort());
  });
});
