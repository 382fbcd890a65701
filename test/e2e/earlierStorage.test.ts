import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { readRecording, restoreStoredThings, type StoredThings } from "../support/storedThings.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { soon } from "../unit/service/fixture.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { betaVariable, recordedTitles, recordingFile, storageKeys } from "../support/recordedStorage.ts";

describe("the storage of an earlier version, in a real editor", () => {
  const service = withService({ contextWindow: 100_000, keys: Object.values(storageKeys) });
  const editor = withEditor({ searchesForKeys: true, environment: { [betaVariable]: storageKeys.beta } });
  let recording: StoredThings;
  let storageFolder: string;

  before(async () => {
    recording = await readRecording(recordingFile, {
      acmeKey: storageKeys.acme,
      betaKey: storageKeys.beta,
      origin: service.origin,
      workspace: editor.workspace,
    });
    storageFolder = await restoreStoredThings(editor, recording);
  });

  const answer = (): Locator => editor.workbench.chat.turns("Assistant").first();

  /** Asks in a new chat. Returns the model and the status of each request. */
  async function ask(
    question: string,
  ): Promise<readonly (readonly [string | undefined, number | undefined])[]> {
    const { workbench, chat } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    service.journal.clear();
    await chat.send(question);
    await answer().getByRole("button", { name: "Retry" }).waitFor();
    return service.journal.answers.map(({ model, status }) => [model, status] as const);
  }

  it("restores chats, choices, consents and keys, even the key of a connection that was removed and added again", async () => {
    const { workbench, chat, palette, quickInput, statusBar, screenshot } = partsOf(editor);
    // The open chat, whose answer was cut when the window closed.
    await chat.open();
    await chat.turns("You").first().getByText("about windmills").waitFor();
    await answer().getByText("Paragraph 2.").waitFor();
    await answer()
      .getByText(/Interrupted/)
      .waitFor();
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
    const trash = await readdir(path.join(storageFolder, "conversations", "trash"));
    assert.equal(trash.filter((name) => name.endsWith(".jsonl")).length, 1, trash.join(", "));

    await statusBar.waitFor(/Acme · service-mini/);
    assert.deepEqual(await ask("about the next day"), [["service-mini", 200]]);
    service.journal.clear();
    // Consent to the billable check was given earlier.
    await palette.run("inference.checkConnection");
    await service.journal.next(({ method, state }) => method === "POST" && state === "finished", soon());
    await workbench.report("Connection Check: Acme").result("good");

    const returned = [...recording.connections, { name: "Gone", baseUrl: service.origin }];
    await workbench.updateSettings({ "inference.connections": returned });
    for (const name of ["Gone", "Beta"]) {
      await palette.run("inference.useConnection");
      await quickInput.pick(name);
      await statusBar.waitFor(new RegExp(`${name} · `));
      assert.deepEqual(await ask(`about ${name}`), [["service-core", 200]]);
    }
  });
});
