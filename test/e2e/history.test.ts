import assert from "node:assert/strict";
import path from "node:path";
import type { Locator } from "playwright-core";
import { tellFigure } from "../support/figures.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf, showsText } from "../support/workbench/parts.ts";

const canary = fakeKey("history-31bd");

describe("earlier chats, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    key: canary,
    recordMessages: true,
    // VS Code's own file dialog, the only one available in a browser.
    settings: { "files.simpleDialog.enable": true },
  });

  async function ask(question: string): Promise<void> {
    const { chat } = partsOf(editor);
    await chat.open();
    await chat.send(question);
    await chat.usage.first().waitFor();
  }

  it("keep interrupted answers and drafts, in the view and in a tab, when the window is reloaded", async () => {
    const { workbench, chat, palette, page, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await ask(`about lighthouses, and ${canary}`);
    await workbench.beginChat();
    await chat.send("about sailing boats /long 20000 /pace 20");
    await answerIn(chat).getByText("Paragraph 1.").waitFor();
    await workbench.openChatInTab();
    await chatEditor.composer.fill("a thought in the tab");
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chat.send("about windmills /long 20000 /pace 20");
    await answerIn(chat).getByText("Paragraph 2.").waitFor();
    await chat.composer.fill("a thought in the view");
    await answerIn(chatEditor).getByText("Paragraph 3.").waitFor();
    assert.equal(await chatEditor.button("Stop").count(), 1, "it still arrives");
    const sent = service.journal.answers.length;
    await workbench.reload();
    await page.getByRole("tab", { name: /about sailing boats/ }).waitFor();
    await chatEditor.find();
    await isKept(chatEditor, "Paragraph 3.", "a thought in the tab");
    await screenshot("chat-tab-interrupted");
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chat.open();
    await isKept(chat, "Paragraph 2.", "a thought in the view");
    const again = service.journal.answers.length - sent;
    assert.equal(again, 0);
    tellFigure(
      `window reloaded amid an answer, in the view and in a tab: what had arrived and the draft kept, ${again} questions sent again`,
    );
  });

  it("are found by text, renamed, pinned and deleted, and restored by Undo", async () => {
    const { chat, palette, quickInput, notifications, page, screenshot } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Search titles and messages");
    await quickInput.row(/about lighthouses/).waitFor();
    await quickInput.root.getByText("Today").waitFor();
    await screenshot("history");
    await quickInput.fill("easy to test");
    await quickInput
      .row(/about lighthouses/)
      .getByText("The same message always")
      .waitFor();
    await screenshot("history-search");
    await page.keyboard.press("Enter");
    await chat.find();
    await chat.turns("You").first().getByText("lighthouses").waitFor();
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about lighthouses/, "Rename");
    await quickInput.answer("Leave empty to use the first question", "Of the sea");
    await quickInput.waitFor("Search titles and messages");
    await quickInput.pressButtonOf(/Of the sea/, "Pin");
    await quickInput.root.getByText("Pinned").waitFor();
    await screenshot("history-pinned");
    await quickInput.pressButtonOf(/Of the sea/, "Delete");
    await quickInput.row(/Of the sea/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await notifications.press("Deleted chat 'Of the sea'", "Undo");
    await chat.turns("You").first().getByText("lighthouses").waitFor();
  });

  it("are exported and imported with VS Code's own dialog, and leave the key in no file", async () => {
    const { chat, workbench, palette, quickInput, screenshot } = partsOf(editor);
    await answerIn(chat).getByText("easy to test").waitFor();
    const answer = await answerIn(chat).locator(".markdown").textContent();
    const file = await workbench.exportChat("JSON");
    assert.equal(path.basename(file), "Of the sea.json");
    await workbench.beginChat();
    await palette.run("inference.importChat");
    await quickInput.waitFor("Import Chat");
    // Waits until the dialog has read its folder. Otherwise the folder's path could replace the typed text.
    await quickInput.row(path.basename(file)).waitFor();
    await quickInput.fill(file);
    await quickInput.row(path.basename(file)).waitFor();
    await screenshot("history-import");
    await quickInput.accept();
    await chat.turns("You").first().getByText("lighthouses").waitFor();
    await showsText(answerIn(chat).locator(".markdown"), answer);
    const { filesSearched } = await assertNoLeaks(editor, [canary], {
      after: "after chats of before were found again",
      // The page's messages contain the typed key. No other place may contain the key.
      isExpected: (place) => place.startsWith("message "),
    });
    assert.ok(filesSearched > 50);
  });
});

/** A function, because a reload replaces the page in a tab. */
function answerIn(chat: ChatView): Locator {
  return chat.turns("Assistant").first();
}

/**
 * Waits for the part of an answer that arrived before an interruption. Asserts that the chat has this draft, and clears
 * it.
 */
async function isKept(chat: ChatView, paragraph: string, draft: string): Promise<void> {
  const answer = answerIn(chat);
  await answer.getByText(/Interrupted/).waitFor();
  await answer.getByText(paragraph).waitFor();
  assert.equal(await chat.composer.inputValue(), draft);
  assert.equal(await chat.button("Stop").count(), 0);
  await chat.composer.fill("");
}
