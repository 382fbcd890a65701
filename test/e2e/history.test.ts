import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { tellFigure } from "../support/figures.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "./leaks.ts";
import { drawnText, partsOf, showFailedTest, showsText } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const canary = fakeKey("history-31bd");

describe("chats of before, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    editor = await openEditor({
      recordMessages: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
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

  it("shows the same chat and draft again after a reload", async () => {
    const { workbench, chat } = partsOf(editor);
    await chat.open();
    await chat.send(`about lighthouses, and ${canary}`);
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    const answer = await drawnText(chat.turns("Assistant").first());
    await chat.composer.fill("a thought that is not finished");
    await workbench.reload();
    await chat.open();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await showsText(chat.turns("Assistant").first(), answer);
    assert.equal(await chat.composer.inputValue(), "a thought that is not finished");
    await chat.composer.fill("");
  });

  it("keeps what had arrived when the window closes in the middle of an answer", async () => {
    const { workbench, chat, screenshot } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("about windmills /long 20000 /pace 20");
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await workbench.reload();
    await chat.open();
    await chat
      .turns("Assistant")
      .first()
      .getByText(/Interrupted/)
      .waitFor();
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await screenshot("chat-interrupted");
    assert.equal(await chat.button("Stop").count(), 0);
  });

  it("opens a chat in an editor tab, and the tab has it again after a reload", async () => {
    const { workbench, page } = partsOf(editor);
    const { chatEditor } = workbench;
    await workbench.openChatInTab();
    await chatEditor.turns("You").first().getByText("windmills").waitFor();
    await workbench.reload();
    await page
      .getByRole("tab", { name: /about windmills/ })
      .first()
      .waitFor();
    await chatEditor.find();
    await chatEditor.turns("You").first().getByText("windmills").waitFor();
  });

  it("keeps what had arrived in a tab, and its draft, when the window closes in the middle of an answer", async () => {
    const { workbench, chat, palette, page, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chat.open();
    await workbench.beginChat();
    await chat.send("about sailing boats /long 20000 /pace 20");
    await chat.turns("Assistant").first().getByText("Paragraph 1.").waitFor();
    await workbench.openChatInTab();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chatEditor.composer.fill("a thought in the tab");
    // The page behind a tab is another one after the reload.
    const answer = (): Locator => chatEditor.turns("Assistant").first();
    await answer().getByText("Paragraph 3.").waitFor();
    assert.equal(await chatEditor.button("Stop").count(), 1, "it still arrives");
    const sent = service.journal.answers.length;
    await workbench.reload();
    await page
      .getByRole("tab", { name: /about sailing boats/ })
      .first()
      .waitFor();
    await chatEditor.find();
    await answer()
      .getByText(/Interrupted/)
      .waitFor();
    await answer().getByText("Paragraph 3.").waitFor();
    assert.equal(await chatEditor.composer.inputValue(), "a thought in the tab");
    assert.equal(await chatEditor.button("Stop").count(), 0);
    await screenshot("chat-tab-interrupted");
    // It goes on from there, and the view beside it has its own chat.
    await answer().getByRole("button", { name: "Retry" }).waitFor();
    await chatEditor.composer.fill("");
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chat.open();
    assert.equal(await chat.turns("You").count(), 0);
    const again = service.journal.answers.length - sent;
    assert.equal(again, 0);
    tellFigure(
      `window reloaded amid an answer, in the view and in a tab: what had arrived and the draft kept, ${again} questions sent again`,
    );
  });

  it("finds chats by title and by text, grouped by day", async () => {
    const { chat, palette, quickInput, page, screenshot } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Type to find");
    await quickInput.row(/about lighthouses/).waitFor();
    await quickInput.root.getByText("Today").waitFor();
    await screenshot("history");
    await quickInput.fill("real editor nothing has this");
    await quickInput.row(/./).first().waitFor({ state: "detached" });
    await quickInput.fill("easy to test");
    await quickInput
      .row(/about lighthouses/)
      .getByText("The same message always")
      .waitFor();
    await screenshot("history-search");
    await page.keyboard.press("Enter");
    await chat.find();
    await chat.turns("You").first().getByText("lighthouses").waitFor();
  });

  it("renames, pins and deletes with a way back", async () => {
    const { chat, palette, quickInput, notifications, screenshot } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about lighthouses/, "Rename");
    await quickInput.answer("Empty gives it", `Of ${canary}`);
    await quickInput.waitFor("Type to find");
    await quickInput.pressButtonOf(/^Of \[API key\]/, "Rename");
    await quickInput.answer("Empty gives it", "Of the sea");
    await quickInput.waitFor("Type to find");
    await quickInput.pressButtonOf(/Of the sea/, "Pin");
    await quickInput.root.getByText("Pinned").waitFor();
    await screenshot("history-pinned");
    await quickInput.pressButtonOf(/Of the sea/, "Delete");
    await quickInput.row(/Of the sea/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await notifications.press("The chat Of the sea was deleted", "Undo");
    // Where it was on the screen.
    await chat.turns("You").first().getByText("lighthouses").waitFor();
    await palette.run("inference.showHistory");
    await quickInput.row(/Of the sea/).click();
    await chat.turns("You").first().getByText("lighthouses").waitFor();
  });

  it("has the list again behind a rename, with what was typed, and on the chat that was renamed", async () => {
    const { palette, quickInput, page, screenshot } = partsOf(editor);
    const active = quickInput.root.locator(".quick-input-list .monaco-list-row.focused .label-name");
    const renamed = async (from: RegExp, to: string): Promise<void> => {
      await quickInput.pressButtonOf(from, "Rename");
      await quickInput.answer("Empty gives it", to);
      assert.equal((await quickInput.waitFor("Type to find")).value, "about");
    };
    await palette.run("inference.showHistory");
    await quickInput.row(/about sailing boats/).waitFor();
    await quickInput.fill("about");
    await quickInput.row(/Of the sea/).waitFor();
    await active.getByText("about windmills").waitFor();
    await renamed(/about sailing boats/, "all about boats");
    await active.getByText("all about boats").waitFor();
    await screenshot("history-renamed");
    // Thought better of, it leads back as well.
    await quickInput.pressButtonOf(/about windmills/, "Rename");
    await quickInput.waitFor("Empty gives it");
    await page.keyboard.press("Escape");
    await active.getByText("about windmills").waitFor();
    // Without what was typed in its name, the chat is found by its texts.
    await renamed(/all about boats/, "of sails");
    await active.getByText("of sails").waitFor();
    await quickInput.cancel();
  });

  it("exports a chat to a file, whole, and shows it", async () => {
    const { workbench } = editor;
    const file = await workbench.exportChat("Markdown");
    assert.equal(path.basename(file), "Of the sea.md");
    const text = await readFile(file, "utf8");
    assert.match(text, /about lighthouses/);
    assert.match(text, /easy to test with/);
    await workbench.screenshot("history-exported");
  });

  it("deletes all chats only on demand, with a way back", async () => {
    const { palette, dialog, notifications, quickInput } = partsOf(editor);
    await palette.run("inference.deleteAllChats");
    assert.match((await dialog.read()).message, /Delete all 3 chats/);
    await dialog.press("Delete All");
    await notifications.press("3 chats were deleted", "Undo");
    await palette.run("inference.showHistory");
    await quickInput.row(/Of the sea/).waitFor();
    await quickInput.cancel();
  });

  it("keeps what was not sent over reloads, and reachable after another chat was begun", async () => {
    const { workbench, chat, palette, quickInput, notifications, screenshot } = partsOf(editor);
    await chat.open();
    await editor.workbench.beginChat();
    await chat.composer.pressSequentially("not sent #summ");
    await chat.offer(/summary\.ts/).click();
    await chat.attachment("summary.ts").waitFor();
    const draft = await chat.composer.inputValue();
    assert.match(draft, /^not sent/);
    for (const _ of ["once", "twice"]) {
      await workbench.reload();
      await chat.open();
      assert.equal(await chat.composer.inputValue(), draft);
      await chat.attachment("summary.ts").waitFor();
    }
    await palette.run("inference.newChat");
    await chat.attachment("summary.ts").waitFor({ state: "detached" });
    assert.equal(await chat.composer.inputValue(), "");
    await workbench.reload();
    await chat.open();
    await palette.run("inference.showHistory");
    await quickInput
      .row(/^not sent/)
      .getByText("Draft")
      .waitFor();
    await screenshot("history-draft");
    await quickInput.pressButtonOf(/^not sent/, "Delete Draft");
    await quickInput.row(/^not sent/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await notifications.press(/The draft not sent/, "Undo");
    await palette.run("inference.showHistory");
    await quickInput.row(/^not sent/).click();
    await chat.attachment("summary.ts").waitFor();
    assert.equal(await chat.composer.inputValue(), draft);
    await chat.removeAttachment("summary.ts");
    await chat.composer.fill("");
  });

  it("takes no chat for the draft that it was when the list was drawn", async () => {
    const { chat, palette, quickInput } = partsOf(editor);
    await chat.open();
    await editor.workbench.beginChat();
    await chat.composer.fill("about lagoons /long 20000 /pace 50");
    await palette.run("inference.showHistory");
    await quickInput
      .row(/^about lagoons/)
      .getByText("Draft")
      .waitFor();
    // The list stays while the chat is gone on with.
    await chat.send("about lagoons /long 20000 /pace 50");
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await quickInput.pressButtonOf(/^about lagoons/, "Delete Draft");
    await quickInput
      .row(/^about lagoons/)
      .getByText("Draft")
      .waitFor({ state: "detached" });
    await quickInput.row(/^about lagoons/).waitFor();
    await quickInput.cancel();
    await chat.turns("Assistant").first().getByText("Paragraph 4.").waitFor();
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
  });

  it("keeps what a question is being changed to over a reload", async () => {
    const { workbench, chat, palette, quickInput, notifications } = partsOf(editor);
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("about harbours");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    const box = (): Locator => chat.frame.getByRole("textbox", { name: "Edit question" });
    await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
    await box().fill("about harbours in winter");
    await workbench.reload();
    await chat.open();
    await box().waitFor();
    assert.equal(await box().inputValue(), "about harbours in winter");
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about harbours/, "Delete");
    await quickInput.row(/about harbours/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await notifications.press("The chat about harbours was deleted.", "Undo");
    await palette.run("inference.showHistory");
    await quickInput.pick(/about harbours/);
    await box().waitFor();
    assert.equal(await box().inputValue(), "about harbours in winter");
    await chat.turns("You").first().getByRole("button", { name: "Cancel" }).click();
    await workbench.reload();
    await chat.open();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await box().count(), 0);
  });

  it("has a chat in its tab again where its deletion is undone", async () => {
    const { workbench, chat, palette, quickInput, notifications, page } = partsOf(editor);
    const { chatEditor } = workbench;
    await chat.open();
    await workbench.beginChat();
    await chat.send("about beacons");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await workbench.openChatInTab();
    const tab = page.getByRole("tab", { name: /about beacons/ });
    await tab.waitFor();
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about beacons/, "Delete");
    await quickInput.row(/about beacons/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await tab.waitFor({ state: "detached" });
    await notifications.press("The chat about beacons was deleted", "Undo");
    await tab.waitFor();
    await chatEditor.find();
    await chatEditor.turns("You").first().getByText("about beacons").waitFor();
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
  });

  it("stops what arrives in a chat that is deleted", async () => {
    const { workbench, chat, palette, quickInput } = partsOf(editor);
    const { chatEditor } = workbench;
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("about mills /long 20000 /pace 50");
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await workbench.openChatInTab();
    await chatEditor.turns("Assistant").first().getByText("Paragraph 2.").waitFor();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chat.send("about ferries");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await chatEditor.composer.fill("used last");
    // The stop is of now: those of other tests are forgotten.
    service.journal.clear();
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about mills/, "Delete");
    await quickInput.row(/about mills/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await service.journal.next(({ state }) => state === "aborted", soon());
    assert.match(await readFile(await editor.workbench.exportChat("JSON"), "utf8"), /about ferries/);
  });

  it("has left the key in no file", async () => {
    const { filesSearched } = await assertNoLeaks(editor, [canary], {
      after: "after chats of before were found again",
      // What is typed into the page passes through its messages; nothing else may hold it.
      isExpected: (place) => place.startsWith("message "),
    });
    assert.ok(filesSearched > 50);
  });
});
