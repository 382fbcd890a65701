import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Editor } from "../support/endToEnd.ts";
import { findExtensionHost } from "../support/extensionHost.ts";
import { tellFigure } from "../support/figures.ts";
import { canMountDisk, mountTinyDisk, whyNoDisk } from "../support/tinyDisk.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { soon } from "../unit/service/fixture.ts";
import { untilInFolder } from "../support/folderChanges.ts";
import { drawnText, partsOf, showsText } from "../support/workbench/parts.ts";

describe("faults of the host and the disk, in a real editor", () => {
  const { service, editor } = withConnectedEditor({ searchesForKeys: true });

  if (process.platform === "linux") {
    it("lose nothing of a chat when the extension host is killed during an answer", async () => {
      const { workbench, chat, screenshot } = partsOf(editor);
      await chat.open();
      await chat.send("A question that is answered");
      const done = chat.turns("Assistant").first();
      await done.getByRole("button", { name: "Copy", exact: true }).waitFor();
      const text = await drawnText(done);
      await chat.send("about windmills /long 20000 /pace 20");
      const cut = chat.turns("Assistant").nth(1);
      await cut.getByText("Paragraph 3.").waitFor();
      await chat.composer.fill("a thought that is not finished");
      await keepsDraft(editor, "a thought that is not finished");
      const host = await findExtensionHost(editor.server.pid);
      // VS Code restarts the host by itself, and the view returns.
      await chat.findNext(() => process.kill(host, "SIGKILL"));
      await service.journal.next(({ state }) => state === "aborted", soon());
      await screenshot("extension-host-killed");
      await cut.getByText(/Interrupted/).waitFor();
      assert.equal(await chat.composer.inputValue(), "a thought that is not finished");
      await workbench.reload();
      await chat.open();
      await cut.getByText(/Interrupted/).waitFor();
      await cut.getByText("Paragraph 2.").waitFor();
      await showsText(done, text);
      assert.equal(await chat.composer.inputValue(), "a thought that is not finished");
      await screenshot("extension-host-killed-reloaded");
      await cut.getByRole("button", { name: "Retry" }).waitFor();
      await chat.composer.fill("");
    });
  }

  if (canMountDisk) {
    it("are reported if the disk is full, and the chat is written when there is space again", async () => {
      const { workbench, chat, notifications, screenshot } = partsOf(editor);
      const folder = await storageOf(editor);
      await using disk = await mountTinyDisk(folder, 1024 * 1024);
      await disk.fill();
      await editor.workbench.beginChat();
      await chat.send("asked while the disk is full");
      const told = await notifications.message("Can't save the chat right now");
      assert.match(told, /\(the disk is full\)\. It stays open and is saved automatically when possible\.$/);
      const first = chat.turns("Assistant").first();
      await first.getByRole("button", { name: "Copy", exact: true }).waitFor();
      await chat.send("and on it goes");
      await chat.turns("Assistant").nth(1).getByRole("button", { name: "Copy", exact: true }).waitFor();
      await screenshot("disk-full");
      const text = await drawnText(first);
      const written = holdsText(path.join(folder, "conversations"), "and on it goes");
      await disk.makeRoom();
      await written;
      await workbench.reload();
      await chat.open();
      await chat.turns("Assistant").nth(1).getByRole("button", { name: "Copy", exact: true }).waitFor();
      await showsText(first, text);
      assert.deepEqual(await chat.turns("You").locator(".question-text").allInnerTexts(), [
        "asked while the disk is full",
        "and on it goes",
      ]);
      tellFigure(
        "disk full in a real editor: told of, the answers go on, and are written once there is room",
      );
    });
  } else {
    it("do NOT include a full disk here", () => {
      tellFigure(`NOT RUN: disk full in a real editor; ${whyNoDisk}`);
    });
  }
});

/** The folder where the extension stores the workspace's chats. */
async function storageOf({ folders }: Editor): Promise<string> {
  // Avoids the browser's folders, which appear and disappear.
  const user = path.join(folders.userData, "User");
  const entries = await readdir(user, { recursive: true, withFileTypes: true });
  const found = entries.find(
    ({ name, parentPath }) => name === "conversations" && parentPath.includes("Storage"),
  );
  return found?.parentPath ?? assert.fail("no chat was stored");
}

/** Resolves when the draft is on disk; the extension writes it shortly after each key. */
async function keepsDraft(editor: Editor, draft: string): Promise<void> {
  const folder = await storageOf(editor);
  const file = path.join(folder, "open-chats.json");
  await untilInFolder(folder, async () => (await readFile(file, "utf8")).includes(draft));
}

/** Resolves when a file in the folder contains the text. */
async function holdsText(folder: string, text: string): Promise<void> {
  await untilInFolder(folder, async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
    return texts.some((each) => each.includes(text));
  });
}
