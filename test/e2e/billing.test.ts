import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "../support/workbench/parts.ts";

const keyVariable = "INFERENCE_BILLING_KEY";
const key = fakeKey("billing");

describe("what is billed, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.chat.tokenCap": 1,
        "inference.chat.dailyTokenCap": 1,
      },
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

  it("is asked about for the day also where a new chat is begun, and what was typed outlasts a reload", async () => {
    const { workbench, chat, dialog } = partsOf(editor);
    await chat.open();
    await chat.send("A question of some length");
    assert.match((await dialog.read()).message, /This chat has used 0 tokens/);
    await workbench.loadPageAgain();
    await chat.open();
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "A question of some length");
    await chat.composer.press("Enter");
    await dialog.root.getByRole("button", { name: "Start New Chat" }).click();
    await dialog.root.getByText(/today; with the next question it passes your cap of 1/).waitFor();
    assert.equal(service.journal.answers.length, 0);
    await dialog.press("Cancel");
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "A question of some length");
    assert.equal(service.journal.answers.length, 0);
  });
});
