import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { CommitRepository } from "../../src/editor/commit/commitBox.ts";
import { gatherCommit, type GatheredCommit } from "../../src/editor/commit/gatherCommit.ts";
import type { Gathered } from "../../src/editor/attachments/gathered.ts";
import { gatherDiff } from "../../src/editor/attachments/gitContext.ts";
import { gatherSubject } from "../../src/editor/prompts/chatPrompts.ts";
import { GitRepositoryOnDisk } from "../support/gitRepository.ts";
import { openRepository } from "./openRepository.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const secret = "a secret of ours";
const room = { maxTokens: 1000, charactersPerToken: 4 };

function textOf({ attachments }: Gathered): string {
  const [attachment] = attachments;
  return attachment?.content?.type === "text" ? attachment.content.text : "";
}

describe("changes, with any diff settings of git", function () {
  const { getExtension } = vscode.extensions;
  let disk: GitRepositoryOnDisk;
  let repository: CommitRepository;
  let ran: string;

  before(async () => {
    disk = await GitRepositoryOnDisk.create(workspaceFolder().uri.fsPath);
    ran = path.join(disk.folder, ".git/ran");
    await disk.write("a.ts", "one\n");
    await disk.write("private/notes.md", "nothing\n");
    await disk.write("private/moved.md", `${"a line that stays\n".repeat(20)}${secret}\n`);
    await disk.write("moved.txt", "a line that stays\n".repeat(20));
    await disk.write("picture.png", Uint8Array.of(1, 0, 1));
    await disk.write(".env", "K=1\n");
    await disk.commit("the first");
    repository = await openRepository(disk.folder);
    const api = { getAPI: () => ({ repositories: [repository] }) };
    Object.assign(vscode.extensions, {
      getExtension: (id: string) => (id === "vscode.git" ? { activate: async () => api } : getExtension(id)),
    });
    await writeSetting("inference.chat.exclude", { [`${path.basename(disk.folder)}/private/**`]: true });
  });
  beforeEach(async () => {
    await disk.git("reset", "--quiet", "--hard");
    await disk.git("clean", "--quiet", "--force", "-d");
    await disk.write("a.ts", "two\n");
    await disk.write("private/notes.md", `${secret}\n`);
  });
  after(async () => {
    Object.assign(vscode.extensions, { getExtension });
    await writeSetting("inference.chat.exclude", undefined);
    await writeSetting("git.untrackedChanges", undefined);
    await disk[Symbol.asyncDispose]();
  });

  async function gathered(): Promise<GatheredCommit> {
    return (await gatherCommit(repository, room)) ?? assert.fail("There are no changes.");
  }

  const settings: readonly (readonly [string, string])[] = [
    ["diff.srcPrefix", "private/"],
    ["diff.dstPrefix", "some folder/"],
    ["diff.noprefix", "true"],
    ["diff.mnemonicPrefix", "true"],
    ["color.ui", "always"],
    ["core.quotePath", "false"],
    ["diff.submodule", "diff"],
    ["diff.context", "0"],
    ["diff.renames", "copies"],
  ];

  it("are attached with any settings, without excluded files, and never run the external diff program", async () => {
    const usual = textOf(await gatherDiff("unstaged"));
    assert.equal(usual, "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n");
    const external = ["diff.external", `touch '${ran}'`] as const;
    for (const [name, value] of [...settings, external]) {
      await disk.git("config", name, value);
      assert.equal(textOf(await gatherDiff("unstaged")), usual, name);
      assert.equal((await gathered()).diff.text, usual, name);
    }
    await disk.git("add", "--all");
    assert.equal(textOf(await gatherDiff("staged")), usual);
    const commit = await gathered();
    assert.deepEqual([commit.source, commit.diff.text, commit.withheld], ["staged", usual, 1]);
    assert.deepEqual(commit.withheldPaths, ["private/notes.md"]);
    assert.ok(!existsSync(ran));
    for (const [name] of [...settings, external]) await disk.git("config", "--unset", name);
  });

  it("contain nothing of a file that was moved out of an excluded folder or into one", async () => {
    await rename(path.join(disk.folder, "private/moved.md"), path.join(disk.folder, "public.md"));
    await rename(path.join(disk.folder, "moved.txt"), path.join(disk.folder, "private/moved.txt"));
    await appendFile(path.join(disk.folder, "public.md"), "more\n");
    await disk.git("add", "--all");
    assert.doesNotMatch(textOf(await gatherDiff("staged")), /secret|stays|public/);
    const commit = await gathered();
    assert.doesNotMatch(JSON.stringify(commit.diff), /secret|stays|public|moved/);
    assert.deepEqual(commit.withheldPaths.toSorted(), [
      "moved.txt → private/moved.txt",
      "private/moved.md → public.md",
      "private/notes.md",
    ]);
  });

  it("ask before files that usually hold keys are read, under the old and the new name", async () => {
    await disk.git("mv", ".env", "settings.txt");
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await disk.git("add", "a.ts");
      assert.doesNotMatch(textOf(await gatherDiff("staged")), /settings|\.env/);
      assert.match(dialogues.messages[0] ?? "", /^'\.env → settings\.txt' might contain keys/);
    } finally {
      dialogues.dispose();
    }
    assert.doesNotMatch(JSON.stringify((await gathered()).diff), /settings|\.env/);
  });

  it("show a link with its target, unless the target is excluded", async () => {
    await symlink("a.ts", path.join(disk.folder, "link"));
    await symlink("private/notes.md", path.join(disk.folder, "kept-out"));
    await disk.git("add", "--all");
    const text = textOf(await gatherDiff("staged"));
    assert.match(text, /^new file mode 120000\n--- \/dev\/null\n\+\+\+ b\/link\n@@ -0,0 \+1 @@\n\+a\.ts\n/m);
    assert.doesNotMatch(text, /kept-out|private/);
  });

  it("show renames, and name images with what happened to them", async () => {
    await disk.git("mv", "moved.txt", "there.txt");
    await disk.git("rm", "--quiet", "picture.png");
    await disk.write(
      "other.png",
      Uint8Array.from({ length: 90 }, (_, index) => index % 7),
    );
    await disk.git("add", "--all");
    assert.match(textOf(await gatherDiff("staged")), /^rename from moved\.txt\nrename to there\.txt$/m);
    const { diff } = await gathered();
    assert.deepEqual(diff.named.map(({ path: name, change }) => `${name} ${change}`).toSorted(), [
      "other.png added",
      "picture.png deleted",
    ]);
  });

  it("name new files as VS Code lists them, and never show their content", async () => {
    await disk.write("new.txt", `${secret}\n`);
    for (const [value, expected] of [
      ["mixed", ["new.txt"]],
      ["separate", ["new.txt"]],
      ["hidden", []],
    ] as const) {
      await writeSetting("git.untrackedChanges", value);
      const { untracked, diff } = await gathered();
      assert.deepEqual(untracked, expected, value);
      assert.doesNotMatch(diff.text, /secret/);
    }
    await writeSetting("git.untrackedChanges", undefined);
    assert.doesNotMatch(textOf(await gatherDiff("unstaged")), /new\.txt/);
  });

  it("attach the staged changes for /commit, or the others if none is staged", async () => {
    assert.match(textOf(await gatherSubject("changes", undefined)), /^\+two$/m);
    await disk.git("add", "a.ts");
    await disk.write("a.ts", "three\n");
    const staged = textOf(await gatherSubject("changes", undefined));
    assert.ok(/^\+two$/m.test(staged) && !staged.includes("three"), staged);
  });

  it("of a commit follow the same rules", async () => {
    const { showQuickPick } = vscode.window;
    await disk.git("config", "diff.srcPrefix", "private/");
    await disk.git("mv", "moved.txt", "there.txt");
    const hash = await disk.commit("the second");
    Object.assign(vscode.window, { showQuickPick: async ([first]: readonly unknown[]) => first });
    try {
      const text = textOf(await gatherDiff("commit"));
      assert.ok(text.startsWith(`commit ${hash}\n\nthe second`), text);
      assert.match(text, /^-one\n\+two\n/m);
      assert.match(text, /^similarity index 100%\nrename from moved\.txt\nrename to there\.txt$/m);
      assert.doesNotMatch(text, /secret|notes/);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
      await disk.git("config", "--unset", "diff.srcPrefix");
      await disk.git("reset", "--quiet", "--hard", "HEAD~");
    }
  });

  it("are gathered in a repository without a commit", async () => {
    await using fresh = await GitRepositoryOnDisk.create(workspaceFolder().uri.fsPath);
    await fresh.write("first.txt", "first\n");
    await fresh.git("add", "--all");
    const commit = await gatherCommit(await openRepository(fresh.folder), room);
    assert.match(commit?.diff.text ?? "", /^new file mode 100644\n--- \/dev\/null\n\+\+\+ b\/first\.txt\n/m);
    assert.deepEqual(commit?.history.subjects, []);
  });

  it("are not read further after reading was canceled", async () => {
    await writeFile(path.join(disk.folder, "a.ts"), "three\n");
    await assert.rejects(gatherCommit(repository, room, AbortSignal.abort()), { name: "AbortError" });
    await rm(path.join(disk.folder, "a.ts"));
    assert.match((await gathered()).diff.text, /^deleted file mode 100644$/m);
  });
});
