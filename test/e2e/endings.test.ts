import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("endings");
const keyVariable = "INFERENCE_ENDINGS_KEY";
/** What is escaped in it means something else where it is not. */
const address = "https://site.example/wiki/C%23?q=a%26b&next=https%3A%2F%2Fa.example%2Fc%3Fd";

describe("a link of an answer, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: () => `Read [the page](${address}).\n` });
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
    await editor.workbench.chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("leaves for another site only by the editor's own question", async () => {
    const { chat, dialog, page, screenshot } = partsOf(editor);
    const asked: string[] = [];
    page.context().on("request", (request) => asked.push(request.url()));
    await chat.send("link");
    const link = chat.turns("Assistant").getByRole("link", { name: "the page" });
    await link.click();
    const { message, detail } = await dialog.read();
    assert.match(message, /open the external website/);
    assert.ok(`${message}\n${detail}`.includes(address), detail);
    await screenshot("link-confirmation");
    await dialog.press("Cancel");
    await link.click();
    await dialog.read();
    assert.ok(!asked.includes(address), "nothing is opened before the answer");
    // The browser under test lets nothing out of this machine.
    const left = page.context().waitForEvent("request", (request) => request.url() === address);
    await dialog.press("Open");
    await left;
  });
});
