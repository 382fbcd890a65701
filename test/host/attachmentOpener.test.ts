import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Attachment } from "../../src/chat/transcript/attachments.ts";
import { AttachmentOpener } from "../../src/editor/attachments/attachmentOpener.ts";

const attachment: Attachment = {
  id: "pasted",
  kind: "text",
  name: "pasted.txt",
  detail: "",
  characters: 4,
  content: { type: "text", text: "text", language: "" },
};
const uri = vscode.Uri.from({ scheme: "inference-attachment", path: "/pasted/pasted.txt" });

describe("an opened attachment", () => {
  it("stays readable as long as a tab shows it", async () => {
    const opener = new AttachmentOpener();
    try {
      await opener.open(attachment);
      assert.equal(new TextDecoder().decode(opener.readFile(uri)), "text");
      const closed = new Promise<void>((resolve) => {
        const listening = vscode.window.tabGroups.onDidChangeTabs((tabs) => {
          if (tabs.closed.length === 0) return;
          listening.dispose();
          resolve();
        });
      });
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
      await closed;
      assert.throws(() => opener.readFile(uri), vscode.FileSystemError);
      await opener.open(attachment);
      assert.equal(new TextDecoder().decode(opener.readFile(uri)), "text");
    } finally {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      opener.dispose();
    }
  });
});
