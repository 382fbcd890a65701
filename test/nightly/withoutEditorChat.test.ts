import assert from "node:assert/strict";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

describe("VS Code without vscode.lm", () => {
  const { editor } = withConnectedEditor({ languageModels: false });

  it("activates the same package and chats", async () => {
    const { chat, statusBar, screenshot } = partsOf(editor);
    await statusBar.waitFor(/Acme · service-core/);
    await chat.open();
    await chat.send("Answer with the word heron.");
    await chat.turns("Assistant").getByText("heron").waitFor();
    await screenshot("without-editor-chat");
  });

  it("does not offer the command for VS Code's own chat", async () => {
    const { palette, screenshot } = partsOf(editor);
    const offered = await palette.search("Inference Chat: Model");
    assert.ok(
      offered.some((label) => label.startsWith("Inference Chat: Select Model")),
      offered.join(),
    );
    assert.ok(!offered.some((label) => label.includes("VS Code's Chat")), offered.join());
    await screenshot("without-editor-chat-palette");
  });
});

describe("the editor's own chat, turned off by a setting", () => {
  const { editor } = withConnectedEditor({ settings: { "chat.disableAIFeatures": true } });

  it("leads to our chat", async () => {
    const { workbench } = editor;
    await workbench.palette.run("inference.useInEditorChat");
    const off = workbench.notifications.toast("VS Code's chat is turned off");
    await off.waitFor();
    await partsOf(editor).screenshot("editor-chat-off");
    await off.getByRole("button", { name: "Open Chat" }).click();
    await workbench.chat.composer.waitFor();
  });
});
