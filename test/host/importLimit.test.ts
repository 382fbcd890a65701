import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { tooLargeToImport } from "../../src/editor/history/historyCommands.ts";

const limit = 256 * 1024 * 1024;

describe("the size limit of an imported chat file", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "import-"));
  });
  after(() => rm(folder, { recursive: true }));

  /** Creates a sparse file of this many bytes, which uses no disk space. */
  async function fileOf(size: number): Promise<vscode.Uri> {
    const file = path.join(folder, "chat.json");
    await writeFile(file, "");
    await truncate(file, size);
    return vscode.Uri.file(file);
  }

  it("is reported with the file's size, before the file is read", async () => {
    assert.equal(
      await tooLargeToImport(await fileOf(limit + 64 * 1024 * 1024)),
      "'chat.json' is too large to read (320 MB, the limit is 256 MB).",
    );
  });

  it("allows the largest question and answer", async () => {
    for (const size of [0, 208 * 1024 * 1024, limit])
      assert.equal(await tooLargeToImport(await fileOf(size)), undefined);
  });
});
