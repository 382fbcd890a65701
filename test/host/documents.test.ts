import assert from "node:assert/strict";
import * as vscode from "vscode";
import { causes } from "../../src/client/failure/cause.ts";
import { extensionId } from "../../src/contributions.ts";
import { showCausePage } from "../../src/editor/failures/failureNotice.ts";

describe("the documents of the package, in VS Code", () => {
  it("include a page for every cause", async () => {
    const folder = vscode.extensions.getExtension(extensionId)?.extensionUri;
    assert.ok(folder !== undefined);
    for (const cause of causes) {
      const file = vscode.Uri.joinPath(folder, "docs", "causes", `${cause}.md`);
      const page = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      assert.match(page, new RegExp(`^# .+\\n\\nCause ID: \`${cause}\`\\n`));
    }
  });

  it("open as a preview", async () => {
    const named = new Promise<vscode.Tab>((resolve) => {
      const listening = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        const tab = [...opened, ...changed].find(({ label }) => label.includes("tls.md"));
        if (tab === undefined) return;
        listening.dispose();
        resolve(tab);
      });
    });
    await showCausePage("tls");
    assert.ok((await named).input instanceof vscode.TabInputWebview);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });
});
