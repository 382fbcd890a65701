import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_SHARED_HISTORY_KEY";
const key = fakeKey("shared-history");

describe("chats of several workspaces, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let otherWorkspace: string;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
    otherWorkspace = path.join(editor.folders.root, "other-workspace");
    await mkdir(otherWorkspace);
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  async function ask(question: string): Promise<void> {
    const { chat } = partsOf(editor);
    await chat.open();
    await chat.send(question);
    await chat.usage.first().waitFor();
  }

  /** Titles in the list of chats, in their order, once these are among them. */
  async function listWith(...titles: readonly string[]): Promise<readonly string[]> {
    const { palette, quickInput } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Type to find");
    for (const title of titles) await quickInput.row(title).waitFor();
    const labels = await quickInput.labels();
    await quickInput.cancel();
    return labels;
  }

  it("are each workspace's own, unless the user wants it otherwise", async () => {
    await ask("only of the first workspace");
    assert.deepEqual(await listWith("only of the first workspace"), ["only of the first workspace"]);
    await editor.workbench.openFolder(otherWorkspace);
    await ask("only of the other workspace");
    assert.deepEqual(await listWith("only of the other workspace"), ["only of the other workspace"]);
  });

  it("are one list with the setting inference.chat.history: everywhere", async () => {
    const { workbench, chat, palette, quickInput } = partsOf(editor);
    await workbench.updateSettings({ "inference.chat.history": "everywhere" });
    await ask("from the other workspace");
    await workbench.openFolder(editor.workspace);
    await ask("from the first workspace");
    assert.deepEqual(await listWith("from the first workspace", "from the other workspace"), [
      "from the first workspace",
      "from the other workspace",
    ]);
    await palette.run("inference.showHistory");
    await quickInput.pickOnceRead("from the other workspace");
    await chat.turns("You").first().getByText("from the other workspace").waitFor();
    await chat.send("and on in the first");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    await workbench.openFolder(otherWorkspace);
    assert.deepEqual(
      (await listWith("from the first workspace", "from the other workspace")).toSorted(),
      ["from the first workspace", "from the other workspace"].toSorted(),
    );
    await palette.run("inference.showHistory");
    await quickInput.pickOnceRead("from the other workspace");
    await chat.turns("You").nth(1).getByText("and on in the first").waitFor();
  });

  it("are each workspace's own again without it, and none is lost", async () => {
    await editor.workbench.updateSettings({ "inference.chat.history": "workspace" });
    await partsOf(editor).chat.open();
    assert.deepEqual(await listWith("only of the other workspace"), ["only of the other workspace"]);
    await editor.workbench.openFolder(editor.workspace);
    await partsOf(editor).chat.open();
    assert.deepEqual(await listWith("only of the first workspace"), ["only of the first workspace"]);
  });
});
