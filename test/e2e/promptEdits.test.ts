import assert from "node:assert/strict";
import { promptText } from "../../src/chat/promptTemplates.ts";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_PROMPT_EDITS_KEY";
const key = fakeKey("prompt-edits");

describe("a prompt whose code was taken off, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ onAsk: (asked) => asks.push(asked) });
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** What was asked, attachments included, once the answer is there. */
  async function questionSent(): Promise<string> {
    const { chat } = partsOf(editor);
    await chat.turns("Assistant").last().getByRole("button", { name: "Retry" }).waitFor();
    return asks.at(-1)?.messages.at(-1)?.text ?? "";
  }

  it("takes no file along after a reload", async () => {
    const { workbench, chat, page } = partsOf(editor);
    await workbench.openFile("convert.py");
    await chat.open();
    await chat.composer.focus();
    await page.keyboard.insertText("/expl");
    await chat.prompt("/explain").waitFor();
    await page.keyboard.press("Tab");
    await chat.attachment("convert.py").waitFor();
    await chat.removeAttachment("convert.py");
    await chat.composer.focus();
    await page.keyboard.type("what a closure is");
    await workbench.reload();
    await workbench.openFile("convert.py");
    await chat.open();
    assert.equal(await chat.composer.inputValue(), "/explain what a closure is");
    await chat.button("Send").click();
    assert.equal(await questionSent(), promptText("explain", "what a closure is"));
  });

  it("takes no file along where its question is edited", async () => {
    const { chat } = partsOf(editor);
    const turn = chat.turns("You").last();
    await turn.hover();
    await turn.getByRole("button", { name: "Edit" }).click();
    await chat.frame.getByRole("textbox", { name: "Edit question" }).fill("/explain what a monad is");
    await chat.frame.locator(".question-editor").getByRole("button", { name: "Send" }).click();
    await chat.turns("You").last().locator(".question-text").getByText("what a monad is").waitFor();
    assert.equal(await questionSent(), promptText("explain", "what a monad is"));
    assert.equal(asks.length, 2);
  });
});
