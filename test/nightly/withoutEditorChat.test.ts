import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "../support/workbench/parts.ts";

const key = fakeKey("without-editor-chat");
const keyVariable = "INFERENCE_WITHOUT_EDITOR_CHAT_KEY";

describe("the editor's own chat, where the editor has no vscode.lm", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      languageModels: false,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await service.close();
    await editor[Symbol.asyncDispose]();
  });

  it("is not needed: the same package activates and chats", async () => {
    const { chat, statusBar, screenshot } = partsOf(editor);
    await statusBar.waitFor(/Acme · service-core/);
    await chat.open();
    await chat.send("Answer with the word heron.");
    await chat.turns("Assistant").getByText("heron").waitFor();
    await screenshot("without-editor-chat");
  });

  it("is not offered", async () => {
    const { palette, screenshot } = partsOf(editor);
    const offered = await palette.search("Inference: Use");
    assert.ok(
      offered.some((label) => label.startsWith("Inference: Use Connection")),
      offered.join(),
    );
    assert.ok(!offered.some((label) => label.includes("Editor's Chat")), offered.join());
    await screenshot("without-editor-chat-palette");
  });
});
