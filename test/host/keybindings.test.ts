import * as vscode from "vscode";
import { assertNoClash } from "../support/keybindings.ts";

describe("keybindings", () => {
  it("conflict with none of VS Code's on this system", async () => {
    const defaults = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
    const document = await vscode.workspace.openTextDocument(defaults);
    assertNoClash(document.getText());
  });
});
