import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "./leaks.ts";
import { partsOf, showFailedTest, showsText } from "./parts.ts";

const keyVariable = "INFERENCE_IMPORT_KEY";
const key = fakeKey("import");

describe("chats that go from one place to another by a file, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        // The editor's own dialog for files, which is the one that a browser has.
        "files.simpleDialog.enable": true,
      },
      environment: { [keyVariable]: key },
    });
    const { chat } = partsOf(editor);
    await chat.open();
    await chat.send("about lighthouses /rich");
    await chat.usage.first().waitFor();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).click();
    await chat.frame.getByText("2 / 2").waitFor();
    await chat.usage.first().waitFor();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  const fileOf = (name: string): string => path.join(editor.workspace, name);

  async function importFrom(name: string): Promise<void> {
    const { palette, quickInput, screenshot } = partsOf(editor);
    await palette.run("inference.importChat");
    await quickInput.waitFor("Import Chat");
    // Once it has read its folder, whose path takes the place of what was typed before.
    await quickInput.row(name).waitFor();
    await quickInput.fill(fileOf(name));
    await quickInput.row(name).waitFor();
    await screenshot(`import ${name}`);
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
  }

  it("are taken out and in as JSON, with all their versions", async () => {
    const { chat, workbench, screenshot } = partsOf(editor);
    const question = chat.turns("You").first().locator(".question-text");
    const answer = chat.turns("Assistant").first().locator(".markdown");
    await answer.getByText("Thank you for reading.").waitFor();
    const before = await answer.textContent();
    const file = await workbench.exportChat("JSON");
    assert.equal(path.basename(file), "about lighthouses rich.json");
    await workbench.exportChat("Markdown");
    await editor.workbench.beginChat();
    await importFrom("about lighthouses rich.json");
    await chat.frame.getByText("2 / 2").waitFor();
    assert.equal(await question.textContent(), "about lighthouses /rich");
    await showsText(answer, before);
    await screenshot("chat-imported");
    await chat.button("Previous version").click();
    await chat.frame.getByText("1 / 2").waitFor();
  });

  it("are taken in from Markdown that a person has changed, and go on from there", async () => {
    const { chat } = partsOf(editor);
    const text = await readFile(fileOf("about lighthouses rich.md"), "utf8");
    assert.match(text, /about lighthouses/);
    await writeFile(
      fileOf("about lighthouses rich.md"),
      text.replaceAll("about lighthouses", "about old lighthouses"),
    );
    await editor.workbench.beginChat();
    await importFrom("about lighthouses rich.md");
    await chat.turns("You").first().getByText("about old lighthouses").waitFor();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chat.frame.getByText("2 / 2").count(), 0, "the branch on the screen alone");
    await chat.send("and windmills");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
  });

  it("are three in the list then, of which none took another's place", async () => {
    const { palette, quickInput } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Type to find");
    const titles = await quickInput.labels();
    await quickInput.cancel();
    assert.equal(titles.length, 3, titles.join());
    assert.ok(
      titles.every((title) => title.includes("lighthouses")),
      titles.join(),
    );
  });

  it("are told from what is no chat, and the chat on the screen stays", async () => {
    const { chat, notifications } = partsOf(editor);
    await writeFile(fileOf("other.json"), '{ "name": "something else" }');
    await importFrom("other.json");
    assert.match(await notifications.message(/no chat that was exported/), /Nothing was imported/);
    await chat.turns("You").nth(1).getByText("and windmills").waitFor();
  });

  it("leaves the key nowhere", async () => {
    await assertNoLeaks(editor, [key], { after: "after chats were taken out and brought in" });
  });
});
