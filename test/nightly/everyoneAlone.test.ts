import assert from "node:assert/strict";
import type { ChatView } from "../support/workbench/chatView.ts";
import { focusedControl } from "../support/workbench/keyboardFocus.ts";
import { heard, listen, spokenBy } from "../support/workbench/spoken.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

/** A text that streams long enough to be stopped. */
function talkOf(name: string): string {
  return Array.from({ length: 400 }, (_, index) => `This is sentence ${index} of the ${name}.`).join(" ");
}

function answerTo(message: string): string | undefined {
  return /^Talk of the (\w+)/.exec(message)?.[1]?.replace(/^.*$/, talkOf);
}

describe("using only a keyboard or screen reader, in a real editor", () => {
  const { service, editor } = withConnectedEditor({ service: { answers: answerTo } });

  before(() => editor.workbench.chat.open());

  /**
   * The name of the focused control; undefined if the focus is outside of the page. Asserts that the control shows a
   * focus ring.
   */
  async function focused(): Promise<string | undefined> {
    const stop = await focusedControl(editor.workbench.chat.frame, "--vscode-sideBar-background");
    assert.ok(stop === undefined || stop.ring >= 3, `${stop?.name} shows no focus`);
    return stop?.name;
  }

  it("opens earlier chats, and reads out only the chat that had the focus last", async () => {
    const { workbench, chat, page, palette, quickInput } = partsOf(editor);
    const titles = ["of the one chat", "of the other chat"];
    for (const title of titles) {
      await workbench.beginChat();
      await page.keyboard.type(title);
      await page.keyboard.press("Enter");
      await chat.usage.first().waitFor();
    }
    for (const title of titles) {
      await palette.run("inference.showHistory");
      await quickInput.waitFor("Search titles and messages");
      await quickInput.row(new RegExp(`^${title}`)).waitFor();
      // Enter opens the first match, even right after the last letter.
      await page.keyboard.type(title);
      await page.keyboard.press("Enter");
      await chat.turns("You").first().getByText(title).waitFor();
      await chat.frame.locator("textarea:focus").waitFor();
      assert.equal(await focused(), "textbox Message");
    }

    const { chatEditor } = workbench;
    service.pace = 40;
    await workbench.beginChat();
    await chat.send("Talk of the tab");
    await chat
      .turns("Assistant")
      .first()
      .getByText(/sentence 1 /)
      .waitFor();
    await palette.run("inference.openChatInEditor");
    await chatEditor.find();
    // VS Code creates its first tab of this kind slowly while another page draws.
    await chatEditor.composer.waitFor();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chat.send("Talk of the view");
    await nextSentence(chat, "view");
    await listen(chatEditor);
    await nextSentence(chat, "view");
    assert.deepEqual(await spokenBy(chatEditor), [], "it is silent, while it goes on");
    assert.equal(await chatEditor.button("Stop").count(), 1);

    await chatEditor.composer.focus();
    await nextSentence(chatEditor, "tab");
    await listen(chat);
    await nextSentence(chatEditor, "tab");
    assert.deepEqual(await spokenBy(chat), []);
    assert.equal(await chat.button("Stop").count(), 1);

    // When the other page is closed, the remaining page speaks again.
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chat.find();
    await nextSentence(chat, "view");
    service.pace = 0;
    await chat.button("Stop").click();
  });
});

/** Waits until another sentence of this text is read out. */
async function nextSentence(chat: ChatView, name: string): Promise<void> {
  await listen(chat);
  await heard(chat, new RegExp(`of the ${name}`));
}
