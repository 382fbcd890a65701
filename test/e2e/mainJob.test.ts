import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks, findLeaks } from "./leaks.ts";
import { copyCode, partsOf, showFailedTest } from "./parts.ts";

/** Looked for everywhere afterwards: it may stand in the secret store alone. */
const canary = fakeKey("canary-4f9c2e71");
const wrongCanary = fakeKey("canary-wrong-88d1");

describe("the main job, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    editor = await openEditor({ recordMessages: true, settings: {} });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("adds a connection from a pasted address, a style and a key", async () => {
    const { palette, quickInput, notifications, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.addConnection");
    await quickInput.answer("A name for this client engagement", "Acme");
    await quickInput.waitFor("base address");
    await quickInput.fill(`${service.origin}/v1/chat/completions`);
    const { message } = await quickInput.waitFor(/Will call/);
    assert.ok(message.includes(`${service.origin}/v1/chat/completions`), message);
    assert.ok(message.includes(`${service.origin}/v1/messages`), message);
    await screenshot("add-connection-address");
    await quickInput.accept();
    await quickInput.waitFor("How requests are made");
    await screenshot("add-connection-style");
    await quickInput.pick("chat-completions");
    const { isPassword } = await quickInput.waitFor("The API key of Acme");
    assert.ok(isPassword);
    await quickInput.fill(`  Bearer ${canary}\n`);
    await quickInput.waitFor(/Found with the key/);
    await screenshot("add-connection-key");
    await quickInput.accept();
    assert.match(await notifications.message("Acme was added"), /This workspace uses it/);
    await statusBar.waitFor(/Acme · service-core/);
    await screenshot("connection-added");
  });

  it("checks the connection: asks first, then shows time, status and request ID of each step", async () => {
    const { notifications, dialog, workbench, screenshot } = partsOf(editor);
    service.journal.clear();
    await notifications.press("Acme was added", "Check Connection");
    const { message, detail } = await dialog.read();
    assert.match(message, /Acme/);
    assert.match(detail, /billable/);
    await screenshot("check-consent");
    assert.equal(service.journal.entries.length, 0, "nothing is sent before consent");
    await dialog.press("Run Check");
    const report = workbench.report("Connection Check: Acme");
    assert.match(await report.result("good"), /does not prove that tool use works/);
    assert.match(await report.cell("Model list", "Time"), /^\d+ ms$/);
    assert.equal(await report.cell("Model list", "Status"), "200");
    const { requestId } = service.journal.entries[1] ?? {};
    assert.equal(await report.cell("Completion (billable)", "Request ID"), requestId);
    await screenshot("check-passed");
  });

  it("picks a model for the workspace", async () => {
    const { palette, quickInput, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.selectModel");
    await quickInput.waitFor("Choose a model");
    await quickInput.row("service-large").waitFor();
    assert.deepEqual((await quickInput.labels()).sort(), ["service-core", "service-large", "service-mini"]);
    await screenshot("select-model");
    await quickInput.pick("service-mini");
    await statusBar.waitFor(/Acme · service-mini/);
  });

  it("chats over chat-completions", async () => {
    const { chat, screenshot } = partsOf(editor);
    await chat.open();
    await screenshot("chat-empty");
    service.journal.clear();
    await chat.send("Hello there /rich");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chat.turns("You").count(), 1);
    const [entry] = service.journal.answers;
    assert.equal(entry?.path, "/v1/chat/completions");
    assert.equal(entry?.model, "service-mini");
    assert.match(await chat.usage.first().innerText(), /\d/);
    await screenshot("chat-rich");
  });

  it("copies the code of a block", async () => {
    const { chat, page } = partsOf(editor);
    const answer = chat.turns("Assistant").first();
    // Text that is out of sight is not laid out, and so has no inner text.
    const code = await answer.locator("pre code").first().textContent();
    await copyCode(answer);
    const copied = await readClipboard(page, code?.slice(0, 10) ?? "");
    assert.equal(copied.trimEnd(), code?.trimEnd());
  });

  it("chats over messages after the style was changed by its button", async () => {
    const { chat, quickInput, screenshot } = partsOf(editor);
    service.journal.clear();
    await chat.button("Client style:").click();
    await quickInput.waitFor("How requests are made");
    await quickInput.pick("messages");
    await chat.frame.getByRole("button", { name: /^Client style: messages/i }).waitFor();
    await chat.send("And in the other style?");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(service.journal.answers[0]?.path, "/v1/messages");
    await screenshot("chat-messages-style");
  });

  it("stops in the middle: what arrived stays, and the service sees the end", async () => {
    const { chat, screenshot } = partsOf(editor);
    service.journal.clear();
    await chat.send("Tell me everything /long 20000 /pace 20");
    const answer = chat.turns("Assistant").nth(2);
    await answer.locator(".markdown").getByText(/\w+/).first().waitFor();
    await screenshot("chat-streaming");
    await chat.button("Stop").click();
    const entry = await service.journal.next(({ state }) => state === "aborted", soon());
    assert.ok(entry.piecesSent > 0);
    await answer.getByText("Stopped.").waitFor();
    assert.equal(await chat.alert().count(), 0, "stopping is no failure");
    await screenshot("chat-stopped");
  });

  it("edits a question and keeps both branches", async () => {
    const { chat, screenshot } = partsOf(editor);
    const question = chat.turns("You").nth(1);
    await question.hover();
    await question.getByRole("button", { name: "Edit" }).click();
    const box = question.getByRole("textbox");
    await box.fill("And in the other words?");
    await screenshot("chat-edit");
    await box.press("Enter");
    await chat.transcript.getByText("2 / 2").waitFor();
    assert.equal(await chat.turns("You").count(), 2);
    await chat.button("Previous version").first().click();
    await chat.turns("You").nth(2).waitFor();
    assert.match(await chat.turns("You").nth(1).innerText(), /And in the other style\?/);
    await screenshot("chat-branches");
  });

  it("keeps the conversation and the draft while the view is hidden", async () => {
    const { chat, page } = partsOf(editor);
    await chat.composer.fill("a draft that is not sent yet");
    await page.keyboard.press("Control+Shift+E");
    await page.locator(".explorer-folders-view").waitFor();
    await chat.open();
    await chat.turns("You").nth(2).waitFor();
    assert.equal(await chat.composer.inputValue(), "a draft that is not sent yet");
    await chat.composer.fill("");
  });

  it("keeps the last keys of a long draft when the view is hidden at once", async () => {
    const { chat, page } = partsOf(editor);
    const long = "words of a long draft ".repeat(300);
    await chat.composer.fill(long);
    await chat.composer.press("Control+End");
    for (const typed of ["and ", "the last ", "keys"]) await page.keyboard.type(typed);
    await page.keyboard.press("Control+Shift+E");
    await page.locator(".explorer-folders-view").waitFor();
    await chat.open();
    assert.equal(await chat.composer.inputValue(), `${long}and the last keys`);
    await chat.composer.fill("");
  });

  it("explains a wrong key where it failed, and mends it from there", async () => {
    const { chat, palette, quickInput, notifications, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.setApiKey");
    await quickInput.answer("The API key of Acme", wrongCanary);
    await notifications.message("The key of Acme is stored");
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("Does this key work?");
    const alert = chat.alert("invalid-key");
    await alert.waitFor();
    const shown = await alert.innerText();
    assert.ok(!shown.includes(wrongCanary));
    assert.ok(shown.includes(service.journal.answers.at(-1)?.requestId ?? "no entry"), shown);
    await statusBar.waitForKind("error");
    await screenshot("chat-wrong-key");
    // Else the word of the first key is taken for that of the second.
    await notifications.clear();
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await quickInput.answer("The API key of Acme", canary);
    await notifications.message("The key of Acme is stored");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).click();
    await chat.alert().waitFor({ state: "detached" });
    await chat.usage.first().waitFor();
    await statusBar.waitForKind("standard");
    assert.match(await chat.turns("You").first().innerText(), /Does this key work\?/);
    await screenshot("chat-right-key");
  });

  it("is used by keyboard alone", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    await editor.workbench.beginChat();
    await page.keyboard.type("first line");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second line /long 20000 /pace 20");
    await page.keyboard.press("Enter");
    await chat.turns("Assistant").first().locator(".markdown").getByText(/\w+/).first().waitFor();
    await page.keyboard.press("Escape");
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    assert.match(await chat.turns("You").first().innerText(), /first line\s+second line/);
    await page.keyboard.press("Shift+Tab");
    await screenshot("chat-keyboard-focus");
    const focused = chat.frame.locator(":focus");
    assert.ok((await focused.count()) === 1, "the focus is in the page");
  });

  it("shows one line per request in the log, and no text of the conversation", async () => {
    const { palette, page, chat, quickInput, screenshot } = partsOf(editor);
    await palette.run("inference.listModels");
    await quickInput.waitFor(/3 models/);
    await quickInput.cancel();
    // A palette that is opened while the focus is on its way back would close.
    await chat.composer.click();
    await chat.frame.locator("textarea:focus").waitFor();
    await palette.run("inference.showLog");
    const log = page.locator(".output-view-container .view-lines, .panel .view-lines").first();
    // The newest line is in sight, whatever came before it.
    await log.filter({ hasText: "/v1/models" }).waitFor();
    const text = (await log.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /GET \/v1\/models 200 request-id=\S+ \d+ ms tokens=-\/-/);
    assert.doesNotMatch(text, /Hello there|Does this key work/);
    await screenshot("log");
  });

  for (const theme of ["light", "high-contrast-dark", "high-contrast-light"] as const) {
    it(`is legible in the theme ${theme}`, async () => {
      const { workbench, chat } = partsOf(editor);
      await workbench.setTheme(theme);
      await chat.open();
      await editor.workbench.beginChat();
      await chat.send("Hello /rich");
      await chat.usage.first().waitFor();
      await workbench.screenshot(`chat-${theme}`);
    });
  }

  it("keeps the key over a reload of the window", async () => {
    const { workbench, chat } = partsOf(editor);
    await workbench.setTheme("dark");
    await workbench.reload();
    await chat.open();
    await workbench.beginChat();
    await chat.send("Still there?");
    await chat.usage.first().waitFor();
    assert.equal(await chat.alert().count(), 0);
  });

  it("has left the key nowhere but in the secret store", async () => {
    const leaks = await assertNoLeaks(editor, [canary, wrongCanary], { after: "after the main job" });
    assert.ok(leaks.filesSearched > 20, `${leaks.filesSearched} files were searched`);
    assert.ok(leaks.messagesSearched > 20, `${leaks.messagesSearched} messages were searched`);
    assert.ok(leaks.copiesSearched >= 1, `${leaks.copiesSearched} copies were searched`);
    assert.ok(!JSON.stringify(service.journal.entries).includes(canary));
  });

  it("would have found a key that leaked", async () => {
    const { chat, page } = partsOf(editor);
    await chat.composer.fill(canary);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(canary)})`);
    const { found } = await findLeaks(editor, [canary]);
    for (const start of ["page", "message from-webview", "message to-clipboard"]) {
      assert.ok(
        found.some((place) => place.startsWith(start)),
        `nothing of ${start} among: ${found.join("\n")}`,
      );
    }
  });
});
