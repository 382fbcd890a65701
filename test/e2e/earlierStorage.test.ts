import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { readRecording, restoreStoredThings, type StoredThings } from "../support/storedThings.ts";
import { soon } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";
import { betaVariable, recordedTitles, recordingFile, storageKeys } from "./recordedStorage.ts";

describe("the storage of an earlier version, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let recording: StoredThings;
  let storageFolder: string;

  before(async () => {
    service = await startReferenceService({ contextWindow: 100_000 });
    service.keys.add({}, storageKeys.acme);
    service.keys.add({}, storageKeys.beta);
    editor = await openEditor({
      searchesForKeys: true,
      environment: { [betaVariable]: storageKeys.beta },
    });
    recording = await readRecording(recordingFile, {
      acmeKey: storageKeys.acme,
      betaKey: storageKeys.beta,
      origin: service.origin,
      workspace: editor.workspace,
    });
    storageFolder = await restoreStoredThings(editor, recording);
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  async function openChat(title: string): Promise<void> {
    const { chat, palette, quickInput } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Type to find");
    await quickInput.fill(title);
    await quickInput.row(title).and(quickInput.root.locator(".focused")).waitFor();
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
    await chat.find();
  }

  const answer = (index: number): Locator => editor.workbench.chat.turns("Assistant").nth(index);
  const question = (index: number): Locator => editor.workbench.chat.turns("You").nth(index);

  it("shows the chat that was open, whose answer was interrupted", async () => {
    const { chat } = partsOf(editor);
    await chat.open();
    await question(0).getByText("about windmills").waitFor();
    await answer(0).getByText("Paragraph 2.").waitFor();
    await answer(0)
      .getByText(/Interrupted/)
      .waitFor();
  });

  it("lists every chat and draft", async () => {
    const { palette, quickInput, screenshot } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.root.getByText("Pinned").waitFor();
    await quickInput
      .row(/^a thought that is not finished/)
      .getByText("Draft")
      .waitFor();
    for (const title of recordedTitles) await quickInput.row(title).waitFor();
    assert.equal(await quickInput.row(/about ferries/).count(), 0);
    await screenshot("earlier-storage-history");
    await quickInput.cancel();
  });

  it("has the versions, the attachments and the unfinished edit of a chat", async () => {
    const { chat } = partsOf(editor);
    await openChat("Of the sea");
    const edited = chat.frame.getByRole("textbox", { name: "Edit question" });
    await edited.waitFor();
    assert.equal(await edited.inputValue(), "about lighthouses in winter");
    await question(0).getByRole("button", { name: "Cancel" }).click();
    await question(0).getByText("summary.ts").first().waitFor();
    await answer(0).getByText("2 / 2").waitFor();
    await question(1).getByText("and of its foghorn").waitFor();
    await question(1).getByRole("button", { name: "Previous version" }).click();
    await question(1).getByText("and of its lamp").waitFor();
    await question(1).getByText("dot.png").first().waitFor();
    await answer(1).getByRole("button", { name: "Retry" }).waitFor();
  });

  it("has the answers that failed or were stopped", async () => {
    const { chat } = partsOf(editor);
    await openChat("about nobody");
    await chat.failure("bad-request").waitFor();
    await openChat("about canals /long 20000 /pace 20");
    await answer(0).getByText("Paragraph 1.").waitFor();
    await answer(0).getByText("Stopped.").waitFor();
  });

  it("has a draft with its attachment", async () => {
    const { chat } = partsOf(editor);
    await openChat("a thought that is not finished");
    await chat.attachment("readings.csv").waitFor();
    assert.equal(await chat.composer.inputValue(), "a thought that is not finished");
  });

  it("keeps what lies in the trash", async () => {
    const names = await readdir(path.join(storageFolder, "conversations", "trash"));
    assert.equal(names.filter((name) => name.endsWith(".jsonl")).length, 1, names.join(", "));
  });

  it("asks with the workspace's connection and model, and with the key in the secret store", async () => {
    const { workbench, chat, statusBar } = partsOf(editor);
    await statusBar.waitFor(/Acme · service-mini/);
    await chat.open();
    await workbench.beginChat();
    service.journal.clear();
    await chat.send("about the next day");
    await answer(0).getByRole("button", { name: "Retry" }).waitFor();
    assert.deepEqual(
      service.journal.answers.map(({ model, status }) => [model, status]),
      [["service-mini", 200]],
    );
  });

  it("checks the connection without asking for a consent that was given", async () => {
    const { palette, workbench } = partsOf(editor);
    service.journal.clear();
    await palette.run("inference.checkConnection");
    await service.journal.next(({ method, state }) => method === "POST" && state === "finished", soon());
    await workbench.report("Connection Check: Acme").result("good");
  });

  it("has the key of a connection that comes back", async () => {
    const { workbench, chat, palette, quickInput, statusBar } = partsOf(editor);
    const returned = [...recording.connections, { name: "Gone", baseUrl: service.origin }];
    await workbench.updateSettings({ "inference.connections": returned });
    for (const name of ["Gone", "Beta"]) {
      await palette.run("inference.useConnection");
      await quickInput.pick(name);
      await statusBar.waitFor(new RegExp(`${name} · `));
      await chat.open();
      await workbench.beginChat();
      service.journal.clear();
      await chat.send(`about ${name}`);
      await answer(0).getByRole("button", { name: "Retry" }).waitFor();
      assert.deepEqual(
        service.journal.answers.map(({ status }) => status),
        [200],
      );
    }
  });
});
