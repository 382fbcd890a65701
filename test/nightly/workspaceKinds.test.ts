import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { projectRoot } from "../support/paths.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { askInNewChat, partsOf } from "../support/workbench/parts.ts";

const answers: Readonly<Record<string, string>> = {
  linked: "It is in `frontend/src/app.ts:1`, and `backend/src/app.ts` has the rest.\n",
  made: "```ts\nexport const made = 1;\n```\n",
  anywhere: "```ts:src/anywhere.ts\nexport const anywhere = 1;\n```\n",
};

const models = { backend: "service-mini", frontend: "service-large" };

describe("kinds of workspaces, in a real editor", () => {
  const { editor } = withConnectedEditor({
    service: { answers: (message) => answers[message] },
    furtherExtensions: [path.join(projectRoot, "test", "nightly", "memoryFiles")],
  });

  /** Writes a workspace file and opens it. */
  async function openFolders(name: string, folders: readonly object[]): Promise<void> {
    const file = path.join(editor.folders.root, `${name}.code-workspace`);
    await writeFile(file, JSON.stringify({ folders }));
    await editor.workbench.openFolder(file);
  }

  const ask = (message: string): Promise<Locator> => askInNewChat(editor, message);

  it("support chat, files and code: several folders, a virtual folder and no folder", async () => {
    const { chat, explorer, page, palette, quickInput, statusBar, screenshot } = partsOf(editor);
    const root = editor.folders.root;
    for (const [name, model] of Object.entries(models)) {
      await mkdir(path.join(root, name, ".vscode"), { recursive: true });
      await mkdir(path.join(root, name, "src"));
      await writeFile(path.join(root, name, "src", "app.ts"), "export const page = 1;\n");
      await writeFile(path.join(root, name, `${name}.md`), `# ${name}\n`);
      const settings = { "inference.model": model };
      await writeFile(path.join(root, name, ".vscode", "settings.json"), JSON.stringify(settings));
    }
    // The model setting comes from the folder of the active file.
    await openFolders("several", [{ path: "backend" }, { path: "frontend" }]);
    await statusBar.waitFor(/Acme · service-mini/);
    await editor.workbench.openFile("frontend.md");
    await statusBar.waitFor(/Acme · service-large/);
    // With several folders, the chat names each file with its folder. This answer does the same.
    const linked = await ask("linked");
    await linked.getByRole("link", { name: "backend/src/app.ts" }).waitFor();
    await linked.getByRole("link", { name: "frontend/src/app.ts:1" }).click();
    await page.getByRole("tab", { name: /^app\.ts/ }).waitFor();
    await page.locator(".breadcrumbs-control").getByText("frontend", { exact: true }).waitFor();
    await page.locator(".monaco-editor.focused").waitFor();
    await (await ask("anywhere")).getByRole("button", { name: "Apply in Editor" }).click();
    await quickInput.waitFor("Apply in Editor");
    const places = (await quickInput.labels()).filter((label) => /Create/.test(label));
    assert.equal(places.length, 2, "each folder is offered for a name that says none");
    await screenshot("several-folders-create");
    await quickInput.pick(/Create .*frontend.*anywhere\.ts/);
    await page.getByRole("button", { name: "Accept All Changes" }).click();
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    const made = path.join(root, "frontend", "src", "anywhere.ts");
    assert.equal(await readFile(made, "utf8"), "export const anywhere = 1;\n");
    await palette.runTitle("File: Save All", "workbench.action.files.saveAll");

    await openFolders("virtual", [{ uri: "memory:/project", name: "project" }]);
    await statusBar.waitFor(/Acme · service-core/);
    await explorer.open();
    await explorer.pickFromMenu("notes.md", "Add File to Inference Chat");
    await chat.find();
    await chat.attachment(/^notes\.md/).waitFor();
    await chat.send("When are they due?");
    await chat.usage.first().waitFor();
    await screenshot("workspace on no disk");

    await editor.workbench.openFolder(undefined);
    const unlinked = await ask("linked");
    assert.equal(await unlinked.getByRole("link").count(), 0, "there is no workspace to have the file");
    const answer = await ask("made");
    await screenshot("no-folder");
    await answer.getByRole("button", { name: "Save as New File" }).click();
    await page.getByRole("tab", { name: /Untitled|made/ }).waitFor();
    await palette.run("inference.showHistory");
    await quickInput.row("linked").waitFor();
    await quickInput.cancel();
  });
});
