import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { holdLine } from "../support/workbench/holdLine.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { attachFromButton, holdDiffs, prepareContextWorkspace } from "./contextWorkspace.ts";
import { partsOf, showFailedTest } from "./parts.ts";

/** Resolves when what has come to the page is on the screen, the focus too. */
const drawn = inPage<Promise<void>>(
  `() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))`,
);

/** Milliseconds between keys: what takes the focus late takes it amid them. */
const asPerson = { delay: 60 };

describe("attachments that are long in coming, in a real editor", () => {
  let editor: Editor;

  before(async () => {
    editor = await openEditor({
      prepareWorkspace: (folder) => prepareContextWorkspace(folder, fakeKey("slow-attachments")),
    });
    await editor.workbench.chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
  });

  it("leave the focus in the file in which one types by then, also where the host hears of it late", async () => {
    const { chat, page, notifications, workbench } = partsOf(editor);
    const lines = page.locator(".editor-instance .view-lines").first();
    await workbench.openFile("README.md");
    const letDiffsGo = await holdDiffs(editor.workspace);
    let letLineGo: (() => Promise<void>) | undefined;
    try {
      await attachFromButton(editor, "Git: Staged Changes");
      await notifications.toast(/^Reading Staged changes/).waitFor();
      letLineGo = await holdLine(page);
      await lines.click();
      await workbench.waitForFocusIn("README.md");
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("typed");
      await letDiffsGo();
      await chat.attachment("Staged changes").waitFor();
      await chat.frame.locator("body").evaluate(drawn);
    } finally {
      await letLineGo?.();
      await letDiffsGo();
    }
    await chat.frame.locator("body").evaluate(drawn);
    await page.keyboard.type("OnAndOn", asPerson);
    await lines.getByText("typedOnAndOn").waitFor();
    assert.equal(await chat.composer.inputValue(), "");
  });

  it("lead the focus to the composer where nothing else was gone on with", async () => {
    const { chat } = partsOf(editor);
    await attachFromButton(editor, "Git: Unstaged Changes");
    await chat.attachment("Unstaged changes").waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("leave the focus in another chat in which one types by then, and there alone", async () => {
    const { workbench, chat, page, notifications } = partsOf(editor);
    const { chatEditor } = workbench;
    await workbench.openChatInTab();
    await chat.find();
    const letDiffsGo = await holdDiffs(editor.workspace);
    try {
      await attachFromButton(editor, "Git: Unstaged Changes");
      await notifications.toast(/^Reading Unstaged changes/).waitFor();
      // The notification lies above it.
      await chatEditor.composer.focus();
      await page.keyboard.type("typed");
    } finally {
      await letDiffsGo();
    }
    await chat.attachment("Unstaged changes").waitFor();
    await page.keyboard.type("OnAndOn", asPerson);
    assert.equal(await chatEditor.composer.inputValue(), "typedOnAndOn");
    assert.equal(await chat.composer.inputValue(), "");
    await attachFromButton(editor, "Git: Staged Changes");
    await chat.attachment("Staged changes").waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
  });
});
