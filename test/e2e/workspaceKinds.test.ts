import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import { projectRoot } from "../support/paths.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { askInNewChat, partsOf, showFailedTest } from "./parts.ts";
import { readingAnswers } from "./readingAnswers.ts";

const keyVariable = "INFERENCE_KINDS_KEY";
const pageOne = "export const page = 1;\n";

const answers: Readonly<Record<string, string>> = {
  linked: "It is in `frontend/src/app.ts:1`, and `backend/src/app.ts` has the rest.\n",
  apply: "```ts:backend/src/app.ts\nexport const page = 2;\n```\n",
  made: "```ts:backend/src/made.ts\nexport const made = 1;\n```\n",
  anywhere: "```ts:src/anywhere.ts\nexport const anywhere = 1;\n```\n",
};

const models = { first: "service-mini", second: "service-large" };

describe("kinds of workspaces, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: (message) => answers[message] });
    const key = service.keys.add({}, fakeKey("kinds-7e15"));
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
      furtherExtensions: [path.join(projectRoot, "test", "e2e", "memoryFiles")],
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** Writes a workspace file and opens it. */
  async function openFolders(name: string, folders: readonly object[]): Promise<void> {
    const file = path.join(editor.folders.root, `${name}.code-workspace`);
    await writeFile(file, JSON.stringify({ folders }));
    await editor.workbench.openFolder(file);
  }

  const ask = (message: string): Promise<Locator> => askInNewChat(editor, message);

  async function acceptAll(): Promise<void> {
    const { page } = partsOf(editor);
    await page.getByRole("button", { name: "Accept All Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
  }

  it("of several folders: the model is that of the folder whose file is in front", async () => {
    const { statusBar, screenshot } = partsOf(editor);
    for (const [name, model] of Object.entries(models)) {
      const folder = path.join(editor.folders.root, name);
      await mkdir(path.join(folder, ".vscode"), { recursive: true });
      await writeFile(path.join(folder, `${name}.md`), `# ${name}\n`);
      const settings = { "inference.model": model };
      await writeFile(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
    }
    await openFolders("several", [{ path: "second" }, { path: "first" }]);
    await statusBar.waitFor(/Acme · service-large/);
    await editor.workbench.openFile("first.md");
    await statusBar.waitFor(/Acme · service-mini/);
    await editor.workbench.openFile("second.md");
    await statusBar.waitFor(/Acme · service-large/);
    await screenshot("workspace of several folders");
  });

  it("on no disk: a file is attached, and the chat answers", async () => {
    const { chat, explorer, statusBar, screenshot } = partsOf(editor);
    await openFolders("virtual", [{ uri: "memory:/project", name: "project" }]);
    await statusBar.waitFor(/Acme · service-core/);
    await explorer.open();
    await explorer.pickFromMenu("notes.md", "Add File to Inference Chat");
    await chat.find();
    await chat.attachment(/^notes\.md/).waitFor();
    await chat.send("When are they due?");
    await chat.usage.first().waitFor();
    await screenshot("workspace on no disk");
  });

  it("of several folders: files go by the names that the chat gives them itself", async () => {
    const { chat, page, palette, quickInput, screenshot } = partsOf(editor);
    const root = path.join(editor.folders.root, "several");
    for (const name of ["backend", "frontend"]) {
      await mkdir(path.join(root, name, "src"), { recursive: true });
      await writeFile(path.join(root, name, "src", "app.ts"), pageOne);
    }
    const file = path.join(root, "several.code-workspace");
    await writeFile(file, JSON.stringify({ folders: [{ path: "backend" }, { path: "frontend" }] }));
    await editor.workbench.openFolder(file);

    const linked = await ask("linked");
    await linked.getByRole("link", { name: "backend/src/app.ts" }).waitFor();
    await linked.getByRole("link", { name: "frontend/src/app.ts:1" }).click();
    await page.getByRole("tab", { name: /^app\.ts/ }).waitFor();
    const crumbs = page.locator(".breadcrumbs-control");
    await crumbs.getByText("frontend", { exact: true }).waitFor();
    await page.locator(".monaco-editor.focused").waitFor();
    await screenshot("several-folders-link");

    await chat.composer.fill("#app.ts");
    await chat.offer(/frontend\/src\/app\.ts|frontend\/src/).click();
    await chat.attachment("app.ts").getByRole("button", { name: /^Open/ }).click();
    await page.getByRole("tab", { name: /^app\.ts/ }).waitFor();
    await chat.removeAttachment("app.ts");

    // Not the file that was used last.
    await (await ask("apply")).getByRole("button", { name: "Apply in Editor" }).click();
    await page.getByRole("tab", { name: /backend\/src\/app\.ts \(proposed changes\)/ }).waitFor();
    await acceptAll();
    await (await ask("made")).getByRole("button", { name: "Apply in Editor" }).click();
    await quickInput.waitFor("Apply in Editor");
    const offered = await quickInput.labels();
    const made = offered.filter((label) => /Create/.test(label));
    assert.equal(made.length, 1, offered.join());
    await quickInput.pick(/Create .*backend.*made\.ts/);
    await acceptAll();
    assert.equal(
      await readFile(path.join(root, "backend", "src", "made.ts"), "utf8"),
      "export const made = 1;\n",
    );
    await (await ask("anywhere")).getByRole("button", { name: "Apply in Editor" }).click();
    await quickInput.waitFor("Apply in Editor");
    const places = (await quickInput.labels()).filter((label) => /Create/.test(label));
    assert.equal(places.length, 2, "each folder is offered for a name that says none");
    await screenshot("several-folders-create");
    await quickInput.pick(/Create .*frontend.*anywhere\.ts/);
    await acceptAll();
    const frontend = path.join(root, "frontend", "src");
    assert.equal(await readFile(path.join(frontend, "anywhere.ts"), "utf8"), "export const anywhere = 1;\n");
    await palette.runTitle("File: Save All", "workbench.action.files.saveAll");
  });

  it("of no folder: the chat answers, keeps its history, and code can be used", async () => {
    const { chat, palette, quickInput, page, screenshot } = partsOf(editor);
    await editor.workbench.openFolder(undefined);
    const linked = await ask("linked");
    assert.equal(await linked.getByRole("link").count(), 0, "there is no workspace to have the file");
    await ask("made");
    await screenshot("no-folder");
    await editor.workbench.reload();
    await chat.open();
    await chat.turns("Assistant").first().getByText("export const made = 1;").waitFor();
    await chat.turns("Assistant").first().getByRole("button", { name: "Save as New File" }).click();
    await page.getByRole("tab", { name: /Untitled|made/ }).waitFor();
    await palette.run("inference.showHistory");
    await quickInput.row("linked").waitFor();
    await quickInput.cancel();
  });
});

describe("code in an untrusted workspace, in a real editor", () => {
  it("is not run", async () => {
    await using service = await startReferenceService({ answers: (message) => readingAnswers[message] });
    const key = fakeKey("untrusted");
    service.keys.add({}, key);
    await using editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
      workspaceTrust: true,
    });
    const { chat, notifications, dialog, screenshot } = partsOf(editor);
    await chat.open();
    const answer = await askInNewChat(editor, "shell");
    await answer.getByRole("button", { name: "Run in Terminal" }).first().click();
    await notifications.message("not run in Restricted Mode");
    assert.equal(await dialog.root.count(), 0);
    await screenshot("reading-untrusted");
  });
});
