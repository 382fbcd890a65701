import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { fakeKey } from "../unit/service/fixture.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";

function marksOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ code }) => code === "exposed-key");
}

/** Resolves when this many keys are marked. */
async function marked(uri: vscode.Uri, count: number): Promise<readonly vscode.Diagnostic[]> {
  while (marksOf(uri).length !== count) {
    await new Promise<void>((resolve) => {
      const subscription = vscode.languages.onDidChangeDiagnostics(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
  return marksOf(uri);
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe("the exposed-key guard", () => {
  const key = fakeKey("guarded-host");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const files = [".env", ".gitignore"].map((name) => path.join(folder, name));

  before(async () => {
    process.env[keyVariable] = key;
    await writeConnections([{ name: "Guarded", baseUrl: "https://h.example", keyVariable }]);
  });
  after(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await Promise.all(files.map((file) => rm(file, { force: true })));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("marks a key in a document without showing it, and removes the mark with the key", async () => {
    const document = await vscode.workspace.openTextDocument({ content: `a\nb ${key}\n` });
    const [mark] = await marked(document.uri, 1);
    assert.equal(mark?.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(document.getText(mark.range), key);
    assert.ok(!JSON.stringify(mark).includes(key));
    await replaceText(document, "clean");
    await marked(document.uri, 0);
  });

  const languages: readonly (readonly [string, string, string])[] = [
    ["typescript", `const key = "${key}";\n`, `const key = process.env.${keyVariable};\n`],
    ["python", `import os\nkey = "${key}"\n`, `import os\nkey = os.environ["${keyVariable}"]\n`],
  ];
  for (const [language, content, expected] of languages) {
    it(`offers quick fixes, and replaces the key with the variable (${language})`, async () => {
      const document = await vscode.workspace.openTextDocument({ language, content });
      const [mark] = await marked(document.uri, 1);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        mark?.range,
      );
      const titles = actions.map(({ title }) => title);
      assert.ok(titles.includes("Replace Exposed API Key..."), titles.join());
      assert.ok(!JSON.stringify(actions).includes(key));
      const fix = actions.find(({ title }) => title === "Replace with environment variable reference");
      assert.ok(fix?.edit !== undefined);
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      assert.equal(document.getText(), expected);
      await marked(document.uri, 0);
    });
  }

  it("moves its mark with a renamed file, and removes it with the file", async () => {
    const [before, after] = ["kept", "moved"].map((name) => vscode.Uri.file(path.join(folder, name)));
    assert.ok(before !== undefined && after !== undefined);
    const [file, moved] = [before, after].map((each) => vscode.Uri.joinPath(each, "key.txt"));
    assert.ok(file !== undefined && moved !== undefined);
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(file, { contents: Buffer.from(`KEY=${key}\n`) });
    assert.ok(await vscode.workspace.applyEdit(edit));
    await vscode.commands.executeCommand("inference.scanForExposedKeys");
    await marked(file, 1);
    const move = new vscode.WorkspaceEdit();
    move.renameFile(before, after);
    assert.ok(await vscode.workspace.applyEdit(move));
    await marked(file, 0);
    await marked(moved, 1);
    const removal = new vscode.WorkspaceEdit();
    removal.deleteFile(after, { recursive: true });
    assert.ok(await vscode.workspace.applyEdit(removal));
    await marked(moved, 0);
  });

  it("removes the mark of a closed file that another program cleans or deletes", async () => {
    const file = path.join(folder, "closed", "key.txt");
    const uri = vscode.Uri.file(file);
    await mkdir(path.dirname(file));
    for (const lose of [() => writeFile(file, "KEY=\n"), () => rm(path.dirname(file), { recursive: true })]) {
      await writeFile(file, `KEY=${key}\n`);
      await vscode.commands.executeCommand("inference.scanForExposedKeys");
      await marked(uri, 1);
      await lose();
      await marked(uri, 0);
    }
  });

  it("keeps the mark of a closed file that cannot be searched, until a search finds no key", async () => {
    const [grown, later] = ["grown.txt", "later.txt"].map((name) => path.join(folder, name));
    assert.ok(grown !== undefined && later !== undefined);
    for (const file of [grown, later]) await writeFile(file, `KEY=${key}\n`);
    await vscode.commands.executeCommand("inference.scanForExposedKeys");
    for (const file of [grown, later]) await marked(vscode.Uri.file(file), 1);
    await writeFile(grown, `KEY=${key}\n${"x".repeat(2_000_001)}`);
    await writeFile(later, "KEY=\n");
    // The search of `later` starts after the search of `grown`.
    await marked(vscode.Uri.file(later), 0);
    assert.equal(marksOf(vscode.Uri.file(grown)).length, 1);
    await writeFile(grown, "KEY=\n");
    await marked(vscode.Uri.file(grown), 0);
    for (const file of [grown, later]) await rm(file);
  });

  it("follows a closed file outside the workspace that has a mark", async () => {
    const outside = await mkdtemp(path.join(tmpdir(), "exposed-"));
    const uri = vscode.Uri.file(path.join(outside, "[key].txt"));
    await writeFile(uri.fsPath, `KEY=${key}\n`);
    await vscode.window.showTextDocument(uri);
    await marked(uri, 1);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    // Waits until the file has been searched after it was closed.
    await wait(1000);
    assert.equal(marksOf(uri).length, 1);
    await writeFile(uri.fsPath, "KEY=\n");
    await marked(uri, 0);
    await rm(outside, { recursive: true });
  });

  it("finds a key in a file that .gitignore names", async () => {
    const [environmentFile = "", ignoreFile = ""] = files;
    await writeFile(environmentFile, `A=1\nTOKEN=${key}\n`);
    await writeFile(ignoreFile, ".env\n");
    const result = await vscode.commands.executeCommand("inference.scanForExposedKeys");
    assert.match(JSON.stringify(result), /"filesWithKeys":1,"keysFound":1/);
    const [mark] = await marked(vscode.Uri.file(environmentFile), 1);
    assert.deepEqual([mark?.range.start.line, mark?.range.start.character], [1, 6]);
  });
});
