import assert from "node:assert/strict";
import path from "node:path";
import { readDirections } from "../service/directions.ts";
import { generateText } from "../service/generator.ts";
import { tellFigure } from "../support/figures.ts";
import { screenshotFolder } from "../support/paths.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { soon } from "../unit/service/fixture.ts";
import { partsOf } from "../support/workbench/parts.ts";

describe("several windows, in a real editor", () => {
  const { service, editor } = withConnectedEditor({ searchesForKeys: true });

  it("of one workspace write to the same chat at once, and lose nothing that was shown", async () => {
    const { workbench, chat } = partsOf(editor);
    await chat.open();
    await chat.send("shared by both windows");
    await chat.turns("Assistant").first().getByRole("button", { name: "Copy", exact: true }).waitFor();
    const other = await workbench.openWindow();
    await other.chat.open();
    await other.chat.turns("You").getByText("shared by both windows").waitFor();
    const both = [
      { view: chat, question: "from the first window /long 3000 /pace 4" },
      { view: other.chat, question: "from the second window /long 3000 /pace 4" },
    ] as const;
    // The two answers arrive at the same time, into one file.
    await Promise.all(both.map(({ view, question }) => view.send(question)));
    await Promise.all(both.map(({ view, question }) => wholeAnswer(view, 1, question)));
    await chat.composer.fill("a draft of the first window");
    const sent = service.journal.answers.length;
    await Promise.all([workbench.reload(), other.reload()]);
    for (const window of [workbench, other]) {
      await window.chat.open();
      // The two questions are now two versions of one, as after an edit. A window may show either.
      const question = window.chat.turns("You").nth(1);
      // Reads the page's text, because a window in the background draws nothing.
      const isLast = (await question.getByText(/^[12] \/ 2$/).textContent()) === "2 / 2";
      const isFirst = (await question.getByText(both[0].question).count()) > 0;
      const [shown, hidden] = isFirst ? both : both.toReversed();
      await wholeAnswer(window.chat, 1, shown?.question);
      await question.getByRole("button", { name: isLast ? "Previous version" : "Next version" }).click();
      await question.getByText(isLast ? "1 / 2" : "2 / 2").waitFor();
      await wholeAnswer(window.chat, 1, hidden?.question);
    }
    assert.equal(await chat.composer.inputValue(), "a draft of the first window");
    await chat.composer.fill("");
    await other.page.close();
    const again = service.journal.answers.length - sent;
    assert.deepEqual([sent, again], [3, 0]);
    tellFigure(
      `two windows on one workspace, answering into one chat at once and then reloaded: ${both.length} answers whole in both windows, ${again} questions sent twice`,
    );
  });

  it("of one workspace share one list of chats", async () => {
    const { workbench } = partsOf(editor);
    const other = await workbench.openWindow();
    const questions = ["shared by both windows", "only of the first", "only of the second"];
    for (const [window, question] of [
      [workbench, "only of the first"],
      [other, "only of the second"],
    ] as const) {
      await window.chat.open();
      await window.beginChat();
      await window.chat.send(question);
      await endOfAnswer(window.chat, 0);
    }
    const lists: string[][] = [];
    for (const window of [workbench, other]) {
      await window.palette.run("inference.showHistory");
      await window.quickInput.waitFor("Search titles and messages");
      // The window's own chats come first, followed by those read from disk.
      for (const question of questions) await window.quickInput.row(question).waitFor();
      lists.push(await window.quickInput.labels());
      await window.quickInput.cancel();
    }
    assert.deepEqual(lists[0], lists[1]);
    assert.equal(lists[0]?.length, questions.length);
    await other.page.close();
  });

  it("of one workspace show each other's chats, without calling an arriving answer interrupted", async () => {
    const { workbench, chat } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    await chat.send("about canals /long 40000 /pace 30");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("Paragraph 1.").waitFor();
    const other = await workbench.openWindow();
    await other.chat.open();
    const seen = other.chat.turns("Assistant").first();
    await seen.getByText("Paragraph 1.").waitFor();
    assert.equal(await seen.getByRole("button", { name: "Retry" }).count(), 0);
    assert.equal(await seen.getByText(/Interrupted/).count(), 0);
    await chat.button("Stop").click();
    await seen.getByText("Stopped.").waitFor();
    assert.equal(await seen.getByText(/Interrupted/).count(), 0);
    await chat.send("and more of them");
    await endOfAnswer(chat, 1);
    // Hides the view and shows it again.
    await other.page.keyboard.press("Control+Shift+E");
    await other.page.locator(".explorer-folders-view").waitFor();
    await other.chat.open();
    await other.chat.turns("You").nth(1).getByText("and more of them").waitFor();
    await endOfAnswer(other.chat, 1);
    await other.page.close();
  });

  it("start or open a chat in the tab whose title bar is used", async () => {
    const { workbench, chat, palette, page, quickInput } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    await chat.send("about lighthouses");
    await endOfAnswer(chat, 0);
    await workbench.openChatInTab();
    const tab = workbench.chatEditor;
    await tab.turns("You").getByText("about lighthouses").waitFor();
    const titleBar = page.locator(".editor-group-container.active .editor-actions");
    await titleBar.getByRole("button", { name: "New Chat" }).click();
    await tab.turns("You").first().waitFor({ state: "detached" });
    await tab.composer.and(tab.frame.locator(":focus")).waitFor();
    await titleBar.getByRole("button", { name: /Chat History/ }).click();
    await quickInput.waitFor("Search titles and messages");
    await quickInput.pick("about lighthouses");
    await tab.turns("You").getByText("about lighthouses").waitFor();
    await chat.find();
    assert.equal(await chat.turns("You").count(), 0, "the view is left as it was");
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chat.find();
  });

  it("keep the arriving answer, the draft and Stop when a chat moves into its own window", async () => {
    const { workbench, chat, palette } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    await chat.send("about windmills /long 40000 /pace 30");
    await chat.turns("Assistant").first().getByText("Paragraph 1.").waitFor();
    await palette.run("inference.openChatInEditor");
    await workbench.chatEditor.find();
    // The view starts another chat, which takes the focus.
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await workbench.chatEditor.composer.fill("a thought that is not finished");
    const { page, chat: floating } = await workbench.floatChat();
    const answer = floating.turns("Assistant").first();
    await answer.getByText("Paragraph 2.").waitFor();
    assert.equal(await floating.composer.inputValue(), "a thought that is not finished");
    assert.equal(await floating.button("Stop").count(), 1, "it still arrives");
    const arrived = await answer.locator(".markdown p").count();
    await answer.locator(".markdown p").nth(arrived).waitFor();
    await page.screenshot({ path: path.join(screenshotFolder, "chat-floating.png") });
    await floating.button("Stop").click();
    await answer.getByText("Stopped.").waitFor();
    await service.journal.next(({ state }) => state === "aborted", soon());
    await floating.send("asked in the window of its own");
    await floating.turns("Assistant").nth(1).getByRole("button", { name: "Copy", exact: true }).waitFor();
    await page.close();
  });
});

async function endOfAnswer(chat: ChatView, index: number): Promise<void> {
  const answer = chat.turns("Assistant").nth(index);
  await answer.getByRole("button", { name: "Copy", exact: true }).waitFor();
}

/** Waits until an answer has exactly the text that the service generates; a long text is drawn in several frames. */
async function wholeAnswer(chat: ChatView, index: number, question = ""): Promise<void> {
  await endOfAnswer(chat, index);
  const expected = [...generateText(readDirections(question))].join("");
  const text = chat.turns("Assistant").nth(index).locator(".markdown").last();
  await text.filter({ hasText: expected }).waitFor();
  assert.deepEqual(wordsOf((await text.textContent()) ?? ""), wordsOf(expected));
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
