import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { FileListing } from "../../src/editor/files/fileIndex.ts";
import { pathInWorkspace, pathsInWorkspace, resolvePath } from "../../src/editor/files/workspacePaths.ts";
import { findWorkspaceFile, placesToCreate } from "../../src/editor/files/workspaceFiles.ts";

describe("two workspace folders of the same name", () => {
  const { getWorkspaceFolder } = vscode.workspace;
  const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "workspaceFolders");
  let base: string;
  let folders: readonly vscode.WorkspaceFolder[];
  let files: readonly vscode.Uri[];

  before(async () => {
    assert.ok(descriptor);
    base = await mkdtemp(path.join(tmpdir(), "same-names-"));
    folders = ["one/web", "two/web"].map((name, index) => ({
      uri: vscode.Uri.file(path.join(base, name)),
      name: "web",
      index,
    }));
    files = folders.map(({ uri }) => vscode.Uri.joinPath(uri, "src", "index.ts"));
    for (const { fsPath } of files) {
      await mkdir(path.dirname(fsPath), { recursive: true });
      await writeFile(fsPath, "");
    }
    Object.defineProperty(vscode.workspace, "workspaceFolders", { configurable: true, get: () => folders });
    Object.assign(vscode.workspace, {
      getWorkspaceFolder: (uri: vscode.Uri) =>
        folders.find((folder) => uri.path === folder.uri.path || uri.path.startsWith(`${folder.uri.path}/`)),
    });
  });
  after(async () => {
    if (descriptor !== undefined) Object.defineProperty(vscode.workspace, "workspaceFolders", descriptor);
    Object.assign(vscode.workspace, { getWorkspaceFolder });
    await rm(base, { recursive: true });
  });

  it("have different paths, which lead back to their files", () => {
    const paths = files.map((uri) => pathInWorkspace(uri));
    assert.deepEqual(paths, ["web/src/index.ts", "web (2)/src/index.ts"]);
    assert.deepEqual(pathsInWorkspace(files), paths);
    assert.deepEqual(
      paths.map((each) => resolvePath(each ?? "")?.path),
      files.map((uri) => uri.path),
    );
    assert.deepEqual(
      folders.map(({ uri }) => pathInWorkspace(uri)),
      ["web", "web (2)"],
    );
  });

  it("are listed separately", async () => {
    const listing = new FileListing(new AbortController().signal);
    await listing.whole;
    assert.deepEqual(listing.paths.toSorted(), ["web (2)/src/index.ts", "web/src/index.ts"]);
  });

  it("are found by the names that answers use", async () => {
    assert.equal((await findWorkspaceFile("web (2)/src/index.ts:3"))?.uri.path, files[1]?.path);
    assert.equal((await findWorkspaceFile("web/src/index.ts"))?.uri.path, files[0]?.path);
    assert.equal(placesToCreate("web (2)/src/new.ts").length, 1);
  });
});
