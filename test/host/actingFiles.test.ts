import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { isActing, isInWorkspace } from "../../src/editor/files/workspaceFiles.ts";
import { workspaceFolder } from "./withConnection.ts";

describe("files that an answer changes only after a warning", () => {
  let root: string;
  const uriOf = (name: string): vscode.Uri => vscode.Uri.file(path.join(root, name));

  before(async () => {
    const folder = workspaceFolder();
    root = path.join(folder.uri.fsPath, "acting");
    await mkdir(path.join(root, ".git", "hooks"), { recursive: true });
    await symlink(".git/hooks", path.join(root, "docs"));
    await symlink(".git/hooks/pre-commit", path.join(root, "notes.md"));
    await symlink("/nowhere/outside.md", path.join(root, "outside.md"));
  });
  after(() => rm(root, { recursive: true }));

  it("are found by name and by the target of a link, even if the target does not exist", async () => {
    for (const name of [".vscode/tasks.json", "docs/pre-push.sh", "notes.md"])
      assert.equal(await isActing(uriOf(name)), true, name);
    for (const name of [
      "User/settings.json",
      "User/profiles/4d/tasks.json",
      "user/Settings.JSON",
      "data/Machine/settings.json",
    ]) {
      for (const uri of [vscode.Uri.file(`/home/${name}`), vscode.Uri.parse(`vscode-userdata:/${name}`)])
        assert.equal(await isActing(uri), true, uri.toString());
    }
    for (const name of ["src/new.ts", "README.md"]) assert.equal(await isActing(uriOf(name)), false, name);
  });

  it("count as outside of the workspace if a link leads out of the workspace, even to a missing target", async () => {
    assert.equal(await isInWorkspace(uriOf("outside.md")), false);
    assert.equal(await isInWorkspace(uriOf("notes.md")), true);
  });
});
