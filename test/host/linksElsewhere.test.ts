import assert from "node:assert/strict";
import * as vscode from "vscode";
import { isOutside } from "../../src/editor/files/realPlaces.ts";
import { gatherLinkedFiles } from "../../src/editor/prompts/usePromptFile.ts";
import { readSmallFile } from "../../src/editor/prompts/smallFile.ts";
import { isInWorkspace } from "../../src/editor/files/workspaceFiles.ts";

const scheme = "inference-elsewhere";
const { File, Directory, SymbolicLink } = vscode.FileType;

/** The files of another machine and their types. The targets of links are unknown. */
const types: Readonly<Record<string, vscode.FileType>> = {
  "/work": Directory,
  "/work/AGENTS.md": File,
  "/work/linked.md": File | SymbolicLink,
  "/work/dangling.md": SymbolicLink,
  "/work/docs": Directory,
  "/work/docs/guide.md": File,
  "/work/keys": Directory | SymbolicLink,
  "/work/keys/guide.md": File,
};

class Elsewhere implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  stat({ path }: vscode.Uri): vscode.FileStat {
    const type = types[path];
    if (path === "/work/broken") throw vscode.FileSystemError.Unavailable(path);
    if (type === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return { type, ctime: 0, mtime: 0, size: 5 };
  }

  readFile(): Uint8Array {
    return new TextEncoder().encode("words");
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}

describe("symbolic links on another machine", () => {
  const { getWorkspaceFolder } = vscode.workspace;
  const folder = { uri: vscode.Uri.from({ scheme, path: "/work" }), name: "work", index: 0 };
  const at = (path: string): vscode.Uri => vscode.Uri.from({ scheme, path: `/work/${path}` });
  let registration: vscode.Disposable;

  before(() => {
    registration = vscode.workspace.registerFileSystemProvider(scheme, new Elsewhere());
    Object.assign(vscode.workspace, {
      getWorkspaceFolder: (uri: vscode.Uri) =>
        uri.scheme === scheme && uri.path.startsWith("/work") ? folder : getWorkspaceFolder(uri),
    });
  });
  after(() => {
    Object.assign(vscode.workspace, { getWorkspaceFolder });
    registration.dispose();
  });

  it("count as leading out of the workspace, and so does every path below them", async () => {
    for (const path of ["AGENTS.md", "docs/guide.md", "docs/new.md", "new/deep/er.md"]) {
      assert.equal(await isInWorkspace(at(path)), true, path);
      assert.equal(await isOutside(at(path)), false, path);
    }
    for (const path of ["linked.md", "dangling.md", "keys", "keys/guide.md", "keys/new.md"]) {
      assert.equal(await isInWorkspace(at(path)), false, path);
      assert.equal(await isOutside(at(path)), true, path);
    }
  });

  it("are assumed if a file's type cannot be read", async () => {
    assert.equal(await isInWorkspace(at("broken/a.md")), false);
  });

  it("are not read as instructions or as linked files of a prompt", async () => {
    assert.deepEqual(await readSmallFile(at("AGENTS.md")), { kind: "text", text: "words" });
    assert.equal((await readSmallFile(at("linked.md"))).kind, "problem");
    assert.equal((await readSmallFile(at("keys/guide.md"))).kind, "problem");
    const { attachments, refusals } = await gatherLinkedFiles(at("a.prompt.md"), [
      "docs/guide.md",
      "keys/guide.md",
      "linked.md",
    ]);
    assert.deepEqual(
      attachments.map(({ name }) => name),
      ["guide.md"],
    );
    assert.equal(refusals.length, 2);
  });
});
