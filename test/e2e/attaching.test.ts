import assert from "node:assert/strict";
import path from "node:path";
import { picture } from "../../src/connection/compatibility/probes.ts";
import type { Ask } from "../service/generation.ts";
import { contextMenuEntry, pickFromContextMenu } from "../support/workbench/explorer.ts";
import {
  dragFilesOfSystem,
  dragIntoPage,
  fillClipboard,
  type Place,
} from "../support/workbench/transfers.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { attachFromButton, holdDiffs, prepareContextWorkspace } from "../support/contextWorkspace.ts";
import { assertNoLeaksElsewhere } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { selectInTerminal } from "../support/workbench/terminal.ts";

const canary = fakeKey("attaching-5d07");

describe("attachments of a question, in a real editor", () => {
  const asks: Ask[] = [];
  const { editor } = withConnectedEditor({
    key: canary,
    service: { onAsk: (asked) => asks.push(asked) },
    recordMessages: true,
    settings: {
      "inference.chat.exclude": { "**/secrets": true },
      "terminal.integrated.gpuAcceleration": "off",
      // Otherwise opening the first of two selected files would reduce the selection to that file a moment later.
      "explorer.autoReveal": false,
    },
    prepareWorkspace: (folder) => prepareContextWorkspace(folder, canary),
  });

  before(() => editor.workbench.chat.open());

  /** Sends a question with the attachments. Returns the last message of the request. */
  async function sendAll(question: string): Promise<Ask["messages"][number]> {
    const { chat } = partsOf(editor);
    const before = asks.length;
    const answer = chat.turns("Assistant").nth(await chat.turns("Assistant").count());
    await chat.send(question);
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    return asks[before]?.messages.at(-1) ?? assert.fail();
  }

  it("are added by menus, the button and #, and precede the question in the request, without the key", async () => {
    const { workbench, chat, explorer, page, palette, notifications, screenshot } = partsOf(editor);
    await explorer.open();
    await explorer.select("README.md", "convert.py");
    await explorer.row("convert.py").click({ button: "right" });
    await contextMenuEntry(page, "Add File to Inference Chat").waitFor();
    await screenshot("context explorer menu");
    await pickFromContextMenu(page, "Add File to Inference Chat");
    for (const name of ["README.md", "convert.py"]) await chat.attachment(name).waitFor();
    // Waits for the composer's focus: otherwise the composer could take it later, from the file that is opened next.
    const focusedComposer = chat.frame.locator("textarea:focus");
    await focusedComposer.waitFor();
    await workbench.openFile("summary.ts");
    await page.keyboard.press("Control+Home");
    for (const key of ["ArrowDown", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown"])
      await page.keyboard.press(key);
    await page.keyboard.press("Shift+F10");
    await contextMenuEntry(page, "Add Selection to Inference Chat").waitFor();
    await screenshot("context editor menu");
    await pickFromContextMenu(page, "Add Selection to Inference Chat");
    await chat.attachment("summary.ts").waitFor();
    await focusedComposer.waitFor();
    await page.evaluate("navigator.clipboard.writeText('what was copied before')");
    await selectInTerminal(editor.workbench, "from-the-terminal");
    await attachFromButton(editor, "Terminal Selection");
    await chat.attachment(/^Terminal: /).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "what was copied before");
    await palette.runTitle("Terminal: Kill All Terminals");
    await attachFromButton(editor, "Git: Staged Changes");
    await chat.attachment("Staged changes").waitFor();
    await chat.composer.fill("#settings.t");
    await chat.composer.press("End");
    await chat.offer(/^settings\.txt/).waitFor();
    await chat.composer.press("Enter");
    await chat.attachment("settings.txt").waitFor();
    await explorer.open();
    await chat.open();
    await chat.attachment("settings.txt").waitFor();
    await screenshot("context attachments");
    const [{ text }] = await Promise.all([
      sendAll("What do you make of all this?"),
      notifications.toast(/Removed the API key for 'Acme' from your message/).waitFor(),
    ]);
    assert.ok(text.endsWith("</attachment>\n\nWhat do you make of all this?"), text.slice(-200));
    assert.ok(text.includes('<attachment kind="selection" name="summary.ts" source="summary.ts:3-4">'), text);
    assert.ok(text.includes("from-the-terminal") && text.includes("+staged-station,1.5"), text);
    assert.ok(!text.includes("address"), "what is excluded stays out of diffs as well");
    assert.ok(text.includes("the key is [API key]") && !text.includes(canary));
    const rest = text.replace(/<attachment kind="terminal".*?<\/attachment>/s, "");
    assert.ok(!rest.includes(editor.workspace), "no absolute path is sent");
    assert.equal(await chat.attachments.count(), 0);
    const staged = chat.turns("You").last().getByRole("listitem", { name: "Staged changes", exact: true });
    await staged.getByRole("button").click();
    await page.getByRole("tab", { name: /^Staged changes\.diff/ }).waitFor();
    await page.locator(".editor-instance .view-lines").getByText("+staged-station").waitFor();
  });

  it("do not take the focus from an edited file while they are read", async () => {
    const { chat, page, palette, notifications, workbench } = partsOf(editor);
    await workbench.openFile("README.md");
    const lines = page.locator(".editor-instance .view-lines").first();
    const letGo = await holdDiffs(editor.workspace);
    try {
      await attachFromButton(editor, "Git: Staged Changes");
      await notifications.toast(/^Reading Staged changes/).waitFor();
      await lines.click();
      await workbench.waitForFocusIn("README.md");
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("typed");
    } finally {
      await letGo();
    }
    await chat.attachment("Staged changes").waitFor();
    await page.keyboard.type("OnAndOn");
    await lines.getByText("typedOnAndOn").waitFor();
    assert.equal(await chat.composer.inputValue(), "");
    await palette.runTitle("File: Revert File", "workbench.action.files.revert");
    await chat.removeAttachment("Staged changes");
  });

  it("are dragged into a tab, from the Explorer and from the system", async () => {
    const { chat, workbench, explorer, palette, page, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await chat.open();
    await workbench.beginChat();
    await workbench.openChatInTab();
    await explorer.open();
    const place: Place = { page, element: chatEditor.composer };
    await dragIntoPage(explorer.row("convert.py"), place);
    await chatEditor.attachment("convert.py").waitFor();
    await dragFilesOfSystem([path.join(editor.workspace, "readings.csv")], place);
    await chatEditor.attachment("readings.csv").waitFor();
    await screenshot("dragged into a tab");
    assert.equal(await chatEditor.attachments.getByRole("listitem").count(), 2);
    await chat.open();
    assert.equal(await chat.attachments.count(), 0);
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await chatEditor.composer.waitFor({ state: "detached" });
  });

  it("can be a pasted image, once the user agrees", async () => {
    const { chat, dialog, workbench, page, screenshot } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    await fillClipboard(page, { [picture.mediaType]: picture.data });
    await chat.composer.click();
    await page.keyboard.press("Control+V");
    assert.match((await dialog.read()).message, /unknown whether 'service-core' accepts images/);
    await dialog.press("Attach");
    await chat.attachment("image.png").waitFor();
    await screenshot("picture pasted");
    const { images } = await sendAll("What is on it?");
    assert.equal(images.length, 1);
    await chat.turns("Assistant").last().getByText("A picture of 64 by 64 pixels: yellow above").waitFor();
  });

  it("can be the page at a typed URL, once the user agrees, and be read before it is sent", async () => {
    const { chat, dialog, workbench, page, screenshot } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    const site = await startPlainServer();
    try {
      site.answer = (_request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end("<title>Tides</title><h1>High water</h1>");
      const url = `${site.origin}/tides`;
      await chat.composer.focus();
      await page.keyboard.type(`What does #${url}`);
      await chat.offer(`Attach ${url}`).waitFor();
      await page.keyboard.press("Enter");
      assert.match((await dialog.read()).message, /isn't a public website\./);
      await screenshot("web page asked for");
      assert.equal(site.requests, 0);
      await dialog.press("Attach Page");
      await chat.attachment(/^Tides/).waitFor();
      await chat
        .attachment(/^Tides/)
        .getByRole("button")
        .first()
        .click();
      await page.locator(".editor-instance .view-lines").getByText("# High water").waitFor();
      await screenshot("web page opened");
      await chat.open();
      const { text } = await sendAll(`${await chat.composer.inputValue()} say?`);
      assert.ok(text.includes(`source="${url}"`) && text.endsWith(`What does ${url} say?`), text);
    } finally {
      await site.close();
    }
  });

  it("leave the key nowhere", async () => {
    await assertNoLeaksElsewhere(editor, canary, "after files, images and a web page");
  });
});
