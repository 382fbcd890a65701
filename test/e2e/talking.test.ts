import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const canary = fakeKey("talking-55aa");

/** Resolves when what was rendered has had its effects. */
const effectsDone = inPage<Promise<void>>(
  `() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))`,
);

describe("talking, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 400,
      },
      environment: { [keyVariable]: canary },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("can be typed in as soon as it is first opened", async () => {
    const { chat, palette, page } = partsOf(editor);
    await palette.run("inference.openChat");
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.type("typed at once");
    assert.equal(await chat.composer.inputValue(), "typed at once");
  });

  it("has the focus in its composer when it is opened by its tab, and its draft", async () => {
    const { chat, page } = partsOf(editor);
    await page.keyboard.press("Control+Shift+E");
    await page.locator("iframe.webview").first().waitFor({ state: "detached" });
    await chat.tab.click();
    await chat.find();
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.type(", and more");
    assert.match(await chat.composer.inputValue(), /typed at once/);
    assert.match(await chat.composer.inputValue(), /, and more/);
    await chat.composer.fill("");
  });

  it("streams several chats at once, each in its place and with its draft", async () => {
    const { workbench, chat, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await editor.workbench.beginChat();
    await chat.send("one /long 4000 /pace 300");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await workbench.openChatInTab();
    await chatEditor.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chatEditor.composer.fill("a draft of the first chat");
    await chat.send("two /long 1200 /pace 300");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    assert.equal(await chatEditor.button("Stop").count(), 1, "the first goes on");
    await screenshot("chats-side-by-side");
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    service.hurry();
    await chatEditor.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chatEditor.composer.inputValue(), "a draft of the first chat");
    assert.equal(await chat.composer.inputValue(), "");
    await workbench.page
      .getByRole("tab", { name: /one \/long 4000/ })
      .first()
      .waitFor();
  });

  it("says what answers cost, and asks before a chat passes its cap", async () => {
    const { workbench, chat, dialog, screenshot } = partsOf(editor);
    await workbench.updateSettings({
      "inference.chat.prices": { "service-core": { input: 1000, output: 1000, currency: "EUR" } },
      "inference.chat.tokenCap": 100,
    });
    await workbench.reload();
    // The tab of before comes back beside the view.
    await workbench.chatEditor.find();
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("a first question");
    await chat.usage.filter({ hasText: "€" }).first().waitFor();
    service.journal.clear();
    await chat.send("a second question /long 400 /pace 0");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    await chat.frame.getByText(/This chat: \d+ in, \d+ out · €/).waitFor();
    await chat.send("a third question");
    const { message, detail } = await dialog.read();
    assert.match(message, /This chat has used \d+ tokens; .* passes your cap of 100/);
    assert.match(detail, /inference\.chat\.tokenCap/);
    await screenshot("chat-cap");
    assert.equal(service.journal.answers.length, 1, "nothing is sent before the answer");
    await dialog.press("Cancel");
    // The text comes back by way of the host.
    await chat.frame.locator("textarea:not(:placeholder-shown)").waitFor();
    assert.equal(await chat.composer.inputValue(), "a third question");
    await chat.button("Send").click();
    await dialog.press("Send Anyway");
    await chat.turns("Assistant").nth(2).getByRole("button", { name: "Retry" }).waitFor();
  });

  it("opens a question's editor again when its text was refused, and not once that is sent", async () => {
    const { chat, dialog } = partsOf(editor);
    const question = chat.turns("You").last();
    const edited = question.getByRole("textbox", { name: "Edit question" });
    await question.getByRole("button", { name: "Edit" }).click();
    await edited.fill("a third question, put better");
    await edited.press("Enter");
    await dialog.press("Cancel");
    // The text comes back by way of the host.
    await edited.waitFor();
    assert.equal(await edited.inputValue(), "a third question, put better");
    await edited.press("Enter");
    await dialog.press("Send Anyway");
    await question.getByText("2 / 2").waitFor();
    await chat.turns("Assistant").nth(2).getByRole("button", { name: "Retry" }).waitFor();
    await question.getByRole("button", { name: "Previous version" }).click();
    await question.getByText("a third question", { exact: true }).waitFor();
    await chat.frame.locator("body").evaluate(effectsDone);
    assert.equal(await edited.count(), 0);
    await chat.frame.locator('button[aria-label="Previous version"]:focus').waitFor();
  });
});
