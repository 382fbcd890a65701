import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { picture } from "../../src/connection/probePicture.ts";
import { clientStyles } from "../../src/protocol/wireStyle.ts";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import {
  dragFilesOfSystem,
  dragIntoPage,
  dropOn,
  pasteInto,
  type Place,
} from "../support/workbench/transfers.ts";
import { chatPath, fakeKey, messagesPath } from "../unit/service/fixture.ts";
import { pickFromContextMenu } from "../support/workbench/explorer.ts";
import { assertNoLeaks } from "./leaks.ts";
import { drawnText, partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_TRANSFERS_KEY";
const key = fakeKey("transfers");
const paths = { "chat-completions": chatPath, messages: messagesPath } as const;
const sight = "A picture of 64 by 64 pixels: yellow above, blue below.";
const pictureBytes = Buffer.from(picture.data, "base64");

describe("pictures, and what is dragged, pasted and added by menus, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ onAsk: (each) => asks.push(each) });
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
      prepareWorkspace: (folder) => writeFile(path.join(folder, "flag.png"), pictureBytes),
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

  /** Asks with what is attached; gives what the service had of it. */
  async function askNow(question: string): Promise<Ask> {
    const { chat } = partsOf(editor);
    const answers = await chat.turns("Assistant").count();
    await chat.send(question);
    await chat.turns("Assistant").nth(answers).getByRole("button", { name: "Retry" }).waitFor();
    const asked = asks.at(-1);
    assert.ok(asked);
    return asked;
  }

  async function attachFlag(): Promise<void> {
    const { chat } = partsOf(editor);
    await chat.composer.fill("#flag");
    await chat.composer.press("End");
    await chat.offer(/^flag\.png/).waitFor();
    await chat.composer.press("Enter");
  }

  for (const clientStyle of clientStyles) {
    it(`sends pictures that were attached and pasted in the form of ${clientStyle}, and shows the answer`, async () => {
      const { chat, quickInput, dialog, workbench, screenshot } = partsOf(editor);
      await workbench.beginChat();
      await chat.button("Client style:").click();
      await quickInput.waitFor("How requests are made");
      await quickInput.pick(clientStyle);
      await attachFlag();
      const unknown = /not known whether the model service-core takes images/;
      assert.match((await dialog.read()).message, unknown);
      await dialog.press("Cancel");
      assert.equal(await chat.attachments.count(), 0);
      await attachFlag();
      await dialog.press("Attach");
      await chat.attachment("flag.png").waitFor();
      await pasteInto(chat.composer, {
        files: [{ name: "image.png", type: picture.mediaType, data: picture.data }],
      });
      assert.match((await dialog.read()).message, unknown);
      await dialog.press("Attach");
      await chat.attachment("image.png").waitFor();
      const { messages } = await askNow("What is on them?");
      // Each endpoint of the service takes pictures in its own form alone.
      assert.equal(service.journal.answers.at(-1)?.path, paths[clientStyle]);
      const images = messages.at(-1)?.images ?? [];
      assert.equal(images.length, 2);
      for (const image of images) assert.ok(image.equals(pictureBytes), "not a byte is another one");
      const answer = chat.turns("Assistant").last();
      await answer.getByText(sight).first().waitFor();
      await answer.getByRole("button", { name: "Retry" }).waitFor();
      const sights = (await drawnText(answer)).split(sight).length - 1;
      assert.equal(sights, 2);
      await screenshot(`pictures ${clientStyle}`);
      // The conversation goes on with them.
      const next = await askNow("And once more, with the word again?");
      assert.equal(next.messages[0]?.images.length, 2);
    });
  }

  it("says how much of what is dropped does not fit", async () => {
    const { chat, notifications, workbench } = partsOf(editor);
    await workbench.beginChat();
    const data = Buffer.from("a note\n").toString("base64");
    const files = Array.from({ length: 52 }, (_, at) => ({
      name: `note ${at}.txt`,
      type: "text/plain",
      data,
    }));
    await dropOn(chat.composer, { files });
    await chat.attachment("note 49.txt").waitFor();
    await notifications.toast(/2 did not fit/).waitFor();
    // They lie over what the next test drops files on.
    await notifications.clear();
  });

  it("takes files that are really dragged into a tab: of the explorer, and of the system", async () => {
    const { chat, workbench, explorer, palette, page, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
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

  it("attaches by the menus to the chat that was used last, in a tab, in a window of its own or in the view", async () => {
    const { workbench, chat, explorer, page, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    const addFile = (name: string) => explorer.pickFromMenu(name, "Add File to Inference Chat");
    await chat.open();
    await workbench.beginChat();
    await workbench.openChatInTab();
    await chatEditor.composer.fill("typed in the tab");
    await explorer.open();
    await addFile("README.md");
    await chatEditor.attachment("README.md").waitFor();
    await explorer.row("README.md").waitFor();
    await screenshot("context attached to a tab");
    await workbench.openFile("summary.ts");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+F10");
    await pickFromContextMenu(page, "Add Selection to Inference Chat");
    await chatEditor.find();
    await chatEditor.attachment("summary.ts").waitFor();
    await chatEditor.frame.locator("textarea:focus").waitFor();
    const floating = await workbench.floatChat();
    await floating.chat.composer.click();
    await addFile("convert.py");
    await floating.chat.attachment("convert.py").waitFor();
    assert.equal(await floating.chat.attachments.getByRole("listitem").count(), 3);
    await chat.open();
    assert.equal(await chat.attachments.count(), 0, "nothing of it went to the view");
    await chat.composer.click();
    await explorer.open();
    await addFile("readings.csv");
    await chat.find();
    await chat.attachment("readings.csv").waitFor();
    assert.equal(await floating.chat.attachments.getByRole("listitem").count(), 3);
    await chat.removeAttachment("readings.csv");
    await floating.page.close();
  });

  it("leaves the key nowhere", async () => {
    await assertNoLeaks(editor, [key], { after: "after pictures and files were dragged and pasted" });
  });
});
