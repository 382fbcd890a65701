import assert from "node:assert/strict";
import * as vscode from "vscode";
import { causes } from "../../src/client/cause.ts";

const uriOf = (path: string) => vscode.Uri.from({ scheme: "inference-documents", path });
const { fs } = vscode.workspace;

describe("the documents of the package, in the editor", () => {
  it("have a page for every cause", async () => {
    for (const cause of causes) {
      const page = new TextDecoder().decode(await fs.readFile(uriOf(`/causes/${cause}.md`)));
      assert.match(page, new RegExp(`^# .+\\n\\nCause \`${cause}\`\\n`));
    }
  });

  it("are folders and files, of which none can be changed", async () => {
    assert.equal((await fs.stat(uriOf("/causes"))).type, vscode.FileType.Directory);
    const page = uriOf("/causes/tls.md");
    const { type, size } = await fs.stat(page);
    assert.equal(type, vscode.FileType.File);
    assert.equal(size, (await fs.readFile(page)).byteLength);
    const names = (await fs.readDirectory(uriOf("/"))).map(([name]) => name);
    assert.ok(names.includes("causes") && names.includes("network.md"), names.join());
    assert.equal((await fs.readDirectory(uriOf("/causes"))).length, causes.length);
    assert.equal(fs.isWritableFileSystem("inference-documents"), false);
    await assert.rejects(async () => fs.writeFile(page, new Uint8Array()), vscode.FileSystemError);
    await assert.rejects(async () => fs.delete(page), vscode.FileSystemError);
  });

  it("say that a page is not there", async () => {
    await assert.rejects(async () => fs.stat(uriOf("/causes/none.md")), { code: "FileNotFound" });
    await assert.rejects(async () => fs.readFile(uriOf("/none.md")), { code: "FileNotFound" });
  });
});
