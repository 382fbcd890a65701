import * as vscode from "vscode";
import { assertNoClash } from "../support/keybindings.ts";

describe("keybindings", () => {
  it("clash with none of the editor's on this system", async () => {
    const defaults = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
    const document = await vscode.workspace.openTextDocument(defaults);
    assertNoClash(document.getText());
  });
});
