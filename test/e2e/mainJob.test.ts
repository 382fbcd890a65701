import assert from "node:assert/strict";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks, findLeaks } from "../support/leaks.ts";
import { copyCode, partsOf } from "../support/workbench/parts.ts";

/** The last test searches for this key everywhere: only secret storage may contain it. */
const canary = fakeKey("canary-4f9c2e71");
const wrongCanary = fakeKey("canary-wrong-88d1");

describe("the main job, in a real editor", () => {
  const service = withService({ keys: [canary] });
  const editor = withEditor({ recordMessages: true });

  async function addConnection(): Promise<void> {
    const { palette, quickInput, notifications, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.addConnection");
    await quickInput.answer("a name for this connection", "Acme");
    await quickInput.waitFor("Base URL of the service");
    await quickInput.fill(`${service.origin}/v1/chat/completions`);
    const { message } = await quickInput.waitFor(/Requests go to/);
    assert.ok(message.includes(`${service.origin}/v1/chat/completions`), message);
    assert.ok(message.includes(`${service.origin}/v1/messages`), message);
    await quickInput.accept();
    await quickInput.waitFor("Which client style (format of requests) does the service use?");
    await quickInput.pick("chat-completions");
    const { isPassword } = await quickInput.waitFor("API key for 'Acme'");
    assert.ok(isPassword);
    await quickInput.fill(`  Bearer ${canary}\n`);
    await quickInput.waitFor(/Extra characters around the key/);
    await screenshot("add-connection-key");
    await quickInput.accept();
    assert.match(await notifications.message("Added 'Acme'"), /This workspace now uses the new connection/);
    await statusBar.waitFor(/Acme · service-core/);
  }

  async function checkConnection(): Promise<void> {
    const { notifications, dialog, workbench } = partsOf(editor);
    service.journal.clear();
    await notifications.press("Added 'Acme'", "Check Connection");
    assert.match((await dialog.read()).detail, /billable/);
    assert.equal(service.journal.entries.length, 0, "nothing is sent before consent");
    await dialog.press("Run Check");
    const report = workbench.report("Connection Check: Acme");
    assert.match(await report.result("good"), /Tool use was not tested/);
    const { requestId } = service.journal.entries[1] ?? {};
    assert.equal(await report.cell("Completion (billable)", "Request ID"), requestId);
  }

  it("adds a connection, checks it, selects a model and chats in both client styles", async () => {
    const { palette, quickInput, statusBar, chat, page, screenshot } = partsOf(editor);
    await addConnection();
    await checkConnection();
    await palette.run("inference.selectModel");
    await quickInput.waitFor("Select a model");
    await quickInput.pick("service-mini");
    await statusBar.waitFor(/Acme · service-mini/);

    await chat.open();
    service.journal.clear();
    await chat.send("Hello there /rich");
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    await screenshot("chat-rich");
    // `innerText` is empty for text that is out of sight, because it has no layout.
    const code = await answer.locator("pre code").first().textContent();
    await copyCode(answer);
    const copied = await readClipboard(page, code?.slice(0, 10) ?? "");
    assert.equal(copied.trimEnd(), code?.trimEnd());

    await chat.button("Client style:").click();
    await quickInput.waitFor("Which client style (format of requests) does the service use?");
    await quickInput.pick("messages");
    await chat.frame.getByRole("button", { name: /^Client style: messages/i }).waitFor();
    await chat.send("And in the other style?");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    await screenshot("chat-messages-style");
    assert.deepEqual(
      service.journal.answers.map(({ path, model }) => [path, model]),
      [
        ["/v1/chat/completions", "service-mini"],
        ["/v1/messages", "service-mini"],
      ],
    );
  });

  it("stops an answer by keyboard, keeps the received text, and ends the request", async () => {
    const { chat, page, screenshot } = partsOf(editor);
    await editor.workbench.beginChat();
    service.journal.clear();
    await page.keyboard.type("first line");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second line /long 20000 /pace 20");
    await page.keyboard.press("Enter");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("A long answer to: first line second line").waitFor();
    await page.keyboard.press("Escape");
    const entry = await service.journal.next(({ state }) => state === "aborted", soon());
    assert.ok(entry.piecesSent > 0);
    await answer.getByText("Stopped.").waitFor();
    assert.match(await answer.innerText(), /A long answer to: first line second line/);
    assert.equal(await chat.alert().count(), 0, "stopping is no failure");
    await screenshot("chat-stopped");

    const draft = `${"words of a long draft ".repeat(300)}and the last keys`;
    await chat.composer.fill(draft.slice(0, -4));
    await chat.composer.press("Control+End");
    await page.keyboard.type("keys");
    // Hides the view at once, which closes its page.
    await page.keyboard.press("Control+Shift+E");
    await page.locator(".explorer-folders-view").waitFor();
    await chat.open();
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    assert.equal(await chat.composer.inputValue(), draft);
    await chat.composer.fill("");
  });

  it("explains a wrong key in the chat, replaces it from there, and keeps the new key across a reload", async () => {
    const { workbench, chat, palette, quickInput, notifications, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.setApiKey");
    await quickInput.answer("API key for 'Acme'", wrongCanary);
    await notifications.message("Stored the API key for 'Acme'");
    await chat.open();
    await workbench.beginChat();
    await chat.send("Does this key work?");
    const alert = chat.alert("invalid-key");
    await alert.waitFor();
    const shown = await alert.innerText();
    assert.ok(!shown.includes(wrongCanary));
    assert.ok(shown.includes(service.journal.answers.at(-1)?.requestId ?? "no entry"), shown);
    await statusBar.waitForKind("error");
    await screenshot("chat-wrong-key");
    // Otherwise the notification about the first key would be taken for the one about the second.
    await notifications.clear();
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await quickInput.answer("API key for 'Acme'", canary);
    await notifications.message("Stored the API key for 'Acme'");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).click();
    await chat.alert().waitFor({ state: "detached" });
    await chat.usage.first().waitFor();
    await statusBar.waitForKind("standard");

    await workbench.reload();
    await chat.open();
    await chat.turns("You").first().getByText("Does this key work?").waitFor();
    await workbench.beginChat();
    await chat.send("Still there?");
    await chat.usage.first().waitFor();
    assert.equal(await chat.alert().count(), 0);
  });

  it("leaves the key only in secret storage, and the search would find a leaked key", async () => {
    const { chat, page, palette } = partsOf(editor);
    await palette.run("inference.showLog");
    await page.locator(".panel .view-lines").first().filter({ hasText: "/v1/chat/completions" }).waitFor();
    const leaks = await assertNoLeaks(editor, [canary, wrongCanary], { after: "after the main job" });
    assert.ok(leaks.filesSearched > 20, `${leaks.filesSearched} files were searched`);
    assert.ok(leaks.messagesSearched > 20, `${leaks.messagesSearched} messages were searched`);
    assert.ok(leaks.copiesSearched >= 1, `${leaks.copiesSearched} copies were searched`);
    assert.ok(!JSON.stringify(service.journal.entries).includes(canary));

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
