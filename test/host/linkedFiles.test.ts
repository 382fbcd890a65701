import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { Exclusions } from "../../src/editor/files/exclusions.ts";
import { isOutside, isSensitiveFile, realPlaceOf } from "../../src/editor/files/realPlaces.ts";
import { gatherUris } from "../../src/editor/attachments/uriContext.ts";
import { readSmallFile } from "../../src/editor/prompts/smallFile.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

describe("files behind symbolic links", () => {
  let outside: string;
  let root: string;
  const links: Readonly<Record<string, string>> = {
    "linked-settings.md": ".env",
    "linked-inside.md": "summary.ts",
    "linked-private.md": "private/notes.md",
    "linked-folder": "private",
    "linked-ignored.md": "ignored-by-link.txt",
  };
  const at = (name: string): vscode.Uri => vscode.Uri.file(path.join(root, name));

  before(async () => {
    const folder = workspaceFolder();
    root = folder.uri.fsPath;
    outside = await mkdtemp(path.join(tmpdir(), "outside-"));
    await writeFile(path.join(outside, "notes.md"), "word-behind-a-link\n");
    await writeFile(path.join(root, ".env"), "word-behind-a-link=1\n");
    await mkdir(path.join(root, "private"));
    await writeFile(path.join(root, "private/notes.md"), "word-behind-a-link\n");
    await writeFile(path.join(root, "private/.gitignore"), "");
    await writeFile(path.join(root, "ignored-by-link.txt"), "word-behind-a-link\n");
    await writeFile(path.join(root, ".gitignore"), "ignored-by-link.txt\n.env\n");
    await symlink(path.join(outside, "notes.md"), path.join(root, "linked-notes.md"));
    for (const [link, target] of Object.entries(links)) await symlink(target, path.join(root, link));
    await exclude({ "private/**": true });
  });
  after(async () => {
    await exclude(undefined);
    for (const name of ["linked-notes.md", ...Object.keys(links)]) await rm(path.join(root, name));
    for (const name of [".env", ".gitignore", "ignored-by-link.txt"]) await rm(path.join(root, name));
    await rm(path.join(root, "private"), { recursive: true });
    await rm(outside, { recursive: true });
  });

  it("are outside the workspace if the link leads out of it", async () => {
    const names = ["linked-notes.md", "linked-settings.md", "linked-inside.md", "linked-folder/notes.md"];
    const found = await Promise.all(names.map((name) => isOutside(at(name))));
    assert.deepEqual(found, [true, false, false, false]);
  });

  it("need consent if the link leads to a file that usually holds keys", async () => {
    const names = ["linked-notes.md", "linked-settings.md", "linked-inside.md"];
    const found = await Promise.all(names.map((name) => isSensitiveFile(at(name))));
    assert.deepEqual(found, [false, true, false]);
  });

  it("are found at their real place, relative to the workspace folder", async () => {
    assert.equal((await realPlaceOf(at("linked-folder/notes.md"))).path, at("private/notes.md").path);
    assert.equal((await realPlaceOf(at("summary.ts"))).path, at("summary.ts").path);
    assert.equal((await realPlaceOf(at("not-there.md"))).path, at("not-there.md").path);
  });

  it("are excluded if a rule names the link's target", async () => {
    const exclusions = new Exclusions();
    const found = await Promise.all(
      ["linked-private.md", "linked-folder/notes.md", "linked-ignored.md", "linked-inside.md"].map((name) =>
        exclusions.exclusionOf(at(name)),
      ),
    );
    assert.deepEqual(found, ["chat.exclude", "chat.exclude", "gitignore", undefined]);
    assert.equal(await exclusions.exclusionOfName(at("linked-private.md")), undefined);
    assert.equal(await exclusions.isExcluded(at("linked-private.md"), "chat.exclude"), true);
  });

  it("are not read as instructions if the link leads outside, to keys or to an excluded file", async () => {
    const read = await Promise.all(
      ["linked-notes.md", "linked-settings.md", "linked-private.md", "linked-inside.md"].map((name) =>
        readSmallFile(at(name)),
      ),
    );
    assert.deepEqual(
      read.map(({ kind }) => kind),
      ["problem", "problem", "none", "text"],
    );
    assert.ok(read[1]?.kind === "problem" && read[1].sentence.includes("might contain keys"));
  });

  it("are attached after one question for each kind of risk", async () => {
    const other = path.join(outside, "other.md");
    await writeFile(other, "another word\n");
    const uris = [at("linked-notes.md"), vscode.Uri.file(other), at("linked-settings.md"), at("summary.ts")];
    const dialogues = new ShownDialogues();
    try {
      const { attachments, refusals } = await gatherUris([...uris, at("linked-private.md")]);
      assert.deepEqual(
        attachments.map(({ name }) => name),
        ["linked-notes.md", "other.md", "linked-settings.md", "summary.ts"],
      );
      assert.equal(refusals.length, 1);
      assert.equal(dialogues.all.length, 2);
      const [ofOutside, ofKeys] = dialogues.all;
      assert.match(ofOutside?.message ?? "", /2 files are outside/);
      assert.match(ofOutside?.detail ?? "", /linked-notes\.md\nother\.md\n/);
      assert.match(ofKeys?.message ?? "", /linked-settings\.md' might contain keys/);
    } finally {
      dialogues.dispose();
    }
  });

  it("are left out if the user declines, while the others are attached", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      const { attachments, refusals } = await gatherUris([at("linked-notes.md"), at("summary.ts")]);
      assert.deepEqual(
        attachments.map(({ name }) => name),
        ["summary.ts"],
      );
      assert.deepEqual([refusals, dialogues.all.length], [[], 1]);
    } finally {
      dialogues.dispose();
    }
  });

  it("need consent once if a whole folder leads out of the workspace", async () => {
    const { showQuickPick } = vscode.window;
    const link = path.join(root, "linked-outside");
    await symlink(outside, link);
    const dialogues = new ShownDialogues();
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items });
    try {
      const { attachments } = await gatherUris([vscode.Uri.file(link)]);
      assert.deepEqual(
        attachments.map(({ name }) => name),
        ["linked-outside", "notes.md", "other.md"],
      );
      assert.equal(dialogues.all.length, 1);
      assert.match(dialogues.messages[0] ?? "", /linked-outside' is outside/);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
      dialogues.dispose();
      await rm(link);
    }
  });
});

function exclude(patterns: object | undefined): Thenable<void> {
  return writeSetting("inference.chat.exclude", patterns);
}
