import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { partsOf } from "../support/workbench/parts.ts";

describe("earlier chats, in a real editor", () => {
  const { editor } = withConnectedEditor();

  async function ask(question: string): Promise<void> {
    const { chat } = partsOf(editor);
    await chat.open();
    await chat.send(question);
    await chat.usage.first().waitFor();
  }

  /** Waits until the list of chats contains these titles. Returns all its titles, in order. */
  async function listWith(...titles: readonly string[]): Promise<readonly string[]> {
    const { palette, quickInput } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Search titles and messages");
    for (const title of titles) await quickInput.row(title).waitFor();
    const labels = await quickInput.labels();
    await quickInput.cancel();
    return labels;
  }

  it("are listed per workspace, together if the user sets that, and per workspace again afterwards", async () => {
    const { workbench, chat, palette, quickInput } = partsOf(editor);
    const otherWorkspace = path.join(editor.folders.root, "other-workspace");
    await mkdir(otherWorkspace);
    await ask("about windmills");
    await workbench.openFolder(otherWorkspace);
    await ask("only of the other workspace");
    assert.deepEqual(await listWith("only of the other workspace"), ["only of the other workspace"]);
    await workbench.updateSettings({ "inference.chat.history": "everywhere" });
    await ask("from the other workspace");
    await workbench.openFolder(editor.workspace);
    await palette.run("inference.showHistory");
    await quickInput.pickOnceRead("from the other workspace");
    await chat.find();
    await chat.turns("You").first().getByText("from the other workspace").waitFor();
    await chat.send("and on in the first");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.deepEqual(await listWith("from the other workspace"), ["from the other workspace"]);
    await workbench.updateSettings({ "inference.chat.history": "workspace" });
    assert.equal((await listWith("about windmills")).includes("from the other workspace"), false);
  });
});
