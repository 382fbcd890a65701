import { mkdir } from "node:fs/promises";
import path from "node:path";
import { readStoredThings, writeRecording } from "../support/storedThings.ts";
import { pasteInto } from "../support/workbench/transfers.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { attachFromButton, pixel } from "../support/contextWorkspace.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { betaVariable, recordingFile, storageKeys } from "../support/recordedStorage.ts";

const kept = [{ name: "Acme" }, { name: "Beta", clientStyle: "messages", keyVariable: betaVariable }];

// Only `npm run record:storage` runs this file. All tests use the recording of an earlier version.
describe("storage after a day of use", () => {
  const service = withService({ contextWindow: 100_000, keys: Object.values(storageKeys) });
  const editor = withEditor(() => ({
    settings: { "inference.connections": connections([...kept, { name: "Gone" }]) },
    environment: { [betaVariable]: storageKeys.beta },
  }));

  const connections = (entries: readonly object[]): readonly object[] =>
    entries.map((entry) => ({ ...entry, baseUrl: service.origin }));

  async function setKey(connection: string): Promise<void> {
    const { palette, quickInput, statusBar, notifications } = partsOf(editor);
    await palette.run("inference.useConnection");
    await quickInput.pick(connection);
    await statusBar.waitFor(new RegExp(`${connection} · `));
    await palette.run("inference.setApiKey");
    await quickInput.answer(`API key for '${connection}'`, storageKeys.acme);
    await notifications.toast(`Stored the API key for '${connection}'`).waitFor();
    await notifications.clear();
  }

  async function ended(index: number): Promise<void> {
    const { chat } = partsOf(editor);
    await chat.turns("Assistant").nth(index).getByRole("button", { name: "Retry" }).waitFor();
  }

  it("is recorded", async () => {
    const { workbench, chat, palette, quickInput, notifications, dialog, statusBar, page } = partsOf(editor);
    await setKey("Gone");
    await setKey("Acme");
    await workbench.updateSettings({ "inference.connections": connections(kept) });
    await notifications.clear();

    // A chat with attachments, versions of a question and an answer, renamed and pinned.
    await chat.open();
    await attachFromButton(editor, "File...");
    await quickInput.waitFor("Attach a File");
    await quickInput.pick("summary.ts");
    await chat.attachment("summary.ts").waitFor();
    await chat.send("about lighthouses");
    await ended(0);
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).click();
    await chat.turns("Assistant").first().getByText("2 / 2").waitFor();
    await ended(0);
    await pasteInto(chat.composer, { files: [{ name: "dot.png", type: "image/png", data: pixel }] });
    await dialog.press("Attach");
    await chat.attachment("dot.png").waitFor();
    await chat.send("and of its lamp");
    await ended(1);
    await chat.turns("You").nth(1).getByRole("button", { name: "Edit" }).click();
    await chat.frame.getByRole("textbox", { name: "Edit question" }).fill("and of its foghorn");
    await page.keyboard.press("Enter");
    await chat.turns("You").nth(1).getByText("2 / 2").waitFor();
    await ended(1);
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about lighthouses/, "Rename");
    await quickInput.answer("Leave empty to use the first question", "Of the sea");
    await quickInput.waitFor("Search titles and messages");
    await quickInput.pressButtonOf(/Of the sea/, "Pin");
    await quickInput.root.getByText("Pinned").waitFor();
    await quickInput.cancel();

    // A question whose edit is not sent.
    await chat.turns("You").first().getByRole("button", { name: "Edit" }).click();
    await chat.frame.getByRole("textbox", { name: "Edit question" }).fill("about lighthouses in winter");

    // A failure without an answer.
    await workbench.beginChat();
    service.failNext({ status: 400, body: { error: { message: "No such thing as nobody" } } });
    await chat.send("about nobody");
    await chat.failure("bad-request").waitFor();

    // A chat in the trash.
    await workbench.beginChat();
    await chat.send("about ferries");
    await ended(0);
    await palette.run("inference.showHistory");
    await quickInput.pressButtonOf(/about ferries/, "Delete");
    await quickInput.row(/about ferries/).waitFor({ state: "detached" });
    await quickInput.cancel();
    await notifications.toast("Deleted chat 'about ferries'").waitFor();
    await notifications.clear();

    // The stored results of the check and of the compatibility test.
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    await workbench.report("Connection Check: Acme").result("good");
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await palette.run("inference.verifyCompatibility");
    await quickInput.waitFor("Verify Compatibility (1/2)");
    await quickInput.accept();
    await quickInput.waitFor("Verify Compatibility (2/2)");
    await quickInput.accept();
    await dialog.press("Verify");
    await workbench.report("Compatibility of Acme").result("good");
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");

    // The model selected for the workspace.
    await palette.run("inference.selectModel");
    await quickInput.pick("service-mini");
    await statusBar.waitFor(/Acme · service-mini/);

    // A stopped answer, then an answer that is interrupted when the window closes.
    await chat.open();
    await workbench.beginChat();
    await chat.send("about canals /long 20000 /pace 20");
    await chat.turns("Assistant").first().getByText("Paragraph 1.").waitFor();
    await chat.button("Stop").click();
    await ended(0);
    await workbench.beginChat();
    await chat.composer.fill("a thought that is not finished");
    await attachFromButton(editor, "File...");
    await quickInput.waitFor("Attach a File");
    await quickInput.pick("readings.csv");
    await chat.attachment("readings.csv").waitFor();
    await workbench.beginChat();
    await chat.send("about windmills /long 20000 /pace 20");
    await chat.turns("Assistant").first().getByText("Paragraph 2.").waitFor();

    const secretNames = ["inference.apiKey.Acme", "inference.apiKey.Gone"];
    const things = await readStoredThings(editor, connections(kept), secretNames);
    await mkdir(path.dirname(recordingFile), { recursive: true });
    await writeRecording(recordingFile, things, {
      acmeKey: storageKeys.acme,
      betaKey: storageKeys.beta,
      origin: service.origin,
      workspace: editor.workspace,
    });
  });
});
