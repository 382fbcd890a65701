import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { isOutside, isSensitiveFile } from "../../src/editor/context/realPlaces.ts";

describe("files that links of the file system lead to", () => {
  let outside: string;
  let root: string;
  const links = ["linked-notes.md", "linked-settings.md", "linked-inside.md"];
  const at = (name: string): vscode.Uri => vscode.Uri.file(path.join(root, name));

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
    outside = await mkdtemp(path.join(tmpdir(), "outside-"));
    await writeFile(path.join(outside, "notes.md"), "word-behind-a-link\n");
    await writeFile(path.join(root, ".env"), "word-behind-a-link=1\n");
    await symlink(path.join(outside, "notes.md"), path.join(root, "linked-notes.md"));
    await symlink(".env", path.join(root, "linked-settings.md"));
    await symlink("summary.ts", path.join(root, "linked-inside.md"));
  });
  after(async () => {
    for (const name of [...links, ".env"]) await rm(path.join(root, name));
    await rm(outside, { recursive: true });
  });

  it("are outside of the workspace where they lead out of it", async () => {
    const found = await Promise.all(links.map((name) => isOutside(at(name))));
    assert.deepEqual(found, [true, false, false]);
  });

  it("are asked about where they lead to a file that usually holds keys", async () => {
    const found = await Promise.all(links.map((name) => isSensitiveFile(at(name))));
    assert.deepEqual(found, [false, true, false]);
  });
});
