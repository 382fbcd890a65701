import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FileDiff } from "../../../../src/files/fileDiff.ts";
import { kindOfStatus, readFileDiff, unstagedStates } from "../../../../src/chat/commit/gitChange.ts";
import { decodeBytes } from "../../../../src/text/decodeBytes.ts";
import { GitRepositoryOnDisk } from "../../../support/gitRepository.ts";
import { itBesidesWindows } from "../../../support/itWhere.ts";

function textOf(diffs: readonly FileDiff[]): string {
  return diffs.map(({ text }) => text).join("");
}

/** Removes what only Git adds: hashes, similarities, hunk headings, and tabs after names with spaces. */
function comparable(diff: string): string {
  return diff
    .replaceAll(/^(?:index .*|similarity index .*)\n/gm, "")
    .replaceAll(/^(@@ .* @@).*$/gm, "$1")
    .replaceAll(/^((?:---|\+\+\+) .*)\t$/gm, "$1");
}

function byName(one: FileDiff, other: FileDiff): number {
  return Buffer.compare(Buffer.from(one.paths.at(-1) ?? ""), Buffer.from(other.paths.at(-1) ?? ""));
}

describe("diffs made from Git's objects", () => {
  let repository: GitRepositoryOnDisk;

  beforeEach(async () => {
    repository = await GitRepositoryOnDisk.create();
    await repository.write("src/a.ts", "one\ntwo\nthree\n");
    await repository.write("moved.txt", `${"a line that stays\n".repeat(20)}the last\n`);
    await repository.write("gone.txt", "gone\n");
    await repository.write("picture.png", Uint8Array.of(1, 0, 2));
    await repository.commit();
  });
  afterEach(async () => {
    await repository[Symbol.asyncDispose]();
  });

  /** Makes one change of each kind. */
  async function change(): Promise<void> {
    await repository.write("src/a.ts", "one\n2\nthree\n");
    await rename(path.join(repository.folder, "moved.txt"), path.join(repository.folder, "there.txt"));
    await writeFile(
      path.join(repository.folder, "there.txt"),
      `${"a line that stays\n".repeat(20)}another\n`,
    );
    await rm(path.join(repository.folder, "gone.txt"));
    await repository.write('文 and "more".txt', "new\n");
    await repository.write("picture.png", Uint8Array.of(1, 0, 3));
  }

  const settings: readonly (readonly [string, string])[] = [
    ["diff.srcPrefix", "private/"],
    ["diff.dstPrefix", "x y/"],
    ["diff.noprefix", "true"],
    ["diff.mnemonicPrefix", "true"],
    ["color.ui", "always"],
    ["color.diff", "always"],
    ["diff.wordRegex", "."],
    ["diff.submodule", "diff"],
    ["diff.context", "0"],
    ["diff.interHunkContext", "9"],
    ["diff.algorithm", "patience"],
    ["diff.relative", "true"],
    ["core.quotePath", "true"],
    ["core.pager", "false"],
    ["diff.wsErrorHighlight", "all"],
    ["diff.colorMoved", "zebra"],
    ["diff.suppressBlankEmpty", "true"],
    ["diff.statGraphWidth", "1"],
    ["diff.indentHeuristic", "false"],
    ["diff.ignoreSubmodules", "all"],
  ];

  it("equal the diffs of Git without settings", async () => {
    await change();
    await repository.git("add", "--all");
    const quoted = await repository.git("-c", "core.quotePath=false", "diff", "--cached");
    assert.equal(comparable(textOf((await repository.stagedDiffs()).toSorted(byName))), comparable(quoted));
  });

  it("don't depend on Git's settings for diffs", async () => {
    await change();
    const usual = await repository.unstagedDiffs();
    for (const [name, value] of settings) await repository.git("config", name, value);
    assert.deepEqual(await repository.unstagedDiffs(), usual);
    await repository.git("add", "--all");
    const staged = await repository.stagedDiffs();
    for (const [name] of settings) await repository.git("config", "--unset", name);
    assert.deepEqual(staged, await repository.stagedDiffs());
    assert.ok(staged.length >= 5 && staged.some(({ change: kind }) => kind === "renamed"));
  });

  it("never run an external diff program from the settings", async () => {
    const ran = path.join(repository.folder, ".git", "ran");
    await repository.git("config", "diff.external", `touch '${ran}'; false`);
    await repository.git("config", "diff.mine.command", `touch '${ran}'; false`);
    await writeFile(path.join(repository.folder, ".git/info/attributes"), "* diff=mine\n");
    await change();
    assert.match(textOf(await repository.unstagedDiffs()), /^\+2$/m);
    await assert.rejects(repository.git("diff"));
    assert.ok(existsSync(ran), "git itself runs it");
    await rm(ran);
    await repository.git("add", "--all");
    assert.match(textOf(await repository.stagedDiffs()), /^\+2$/m);
    assert.ok(!existsSync(ran));
  });

  it("never show content that a textconv program converted", async () => {
    await repository.git("config", "diff.secret.textconv", "sed s/^/decrypted:/");
    await writeFile(path.join(repository.folder, ".git/info/attributes"), "src/*.ts diff=secret\n");
    await change();
    for (const diffs of [
      await repository.unstagedDiffs(),
      await repository.git("add", "--all").then(() => repository.stagedDiffs()),
    ]) {
      const diff = diffs.find(({ paths }) => paths[0] === "src/a.ts");
      assert.deepEqual([diff?.withoutLines, diff?.text.includes("decrypted")], ["unread", false]);
      assert.ok(
        diffs.some(({ added, removed }) => added + removed > 0),
        "others are shown",
      );
    }
  });

  it("name both paths of a renamed file, and state how an image changed", async () => {
    await repository.git("mv", "moved.txt", "new name.txt");
    await repository.git("mv", "picture.png", "drawing.png");
    await repository.write("other.png", Uint8Array.of(9, 0, 9));
    await repository.git("add", "--all");
    const diffs = await repository.stagedDiffs();
    assert.deepEqual(
      diffs.map(({ paths, change: kind, withoutLines }) => [...paths, kind, withoutLines].join()).toSorted(),
      ["moved.txt,new name.txt,renamed,", "other.png,added,binary", "picture.png,drawing.png,renamed,"],
    );
  });

  it("work in a repository without commits", async () => {
    await using fresh = await GitRepositoryOnDisk.create();
    await fresh.write("first.txt", "first\n");
    await fresh.git("add", "--all");
    await fresh.write("first.txt", "first\nsecond\n");
    assert.match(
      textOf(await fresh.stagedDiffs()),
      /^new file mode 100644\n--- \/dev\/null\n\+\+\+ b\/first\.txt\n@@ -0,0 \+1 @@\n\+first\n$/m,
    );
    assert.match(textOf(await fresh.unstagedDiffs()), /^ first\n\+second$/m);
  });

  it("compare a commit with its parent", async () => {
    const before = (await repository.git("rev-parse", "HEAD")).trim();
    await change();
    const after = await repository.commit();
    await repository.write("src/a.ts", "of later\n");
    const diffs = await repository.diffs(
      [
        { path: "src/a.ts", kind: "modified" },
        { path: "there.txt", from: "moved.txt", kind: "renamed" },
        { path: "gone.txt", kind: "deleted" },
      ],
      { before, after },
    );
    assert.match(textOf(diffs), /^-two\n\+2\n/m);
    assert.match(textOf(diffs), /^rename from moved\.txt\nrename to there\.txt\n/m);
    assert.match(textOf(diffs), /^-gone$/m);
    assert.doesNotMatch(textOf(diffs), /of later/);
  });

  it("show an intent-to-add file as new", async () => {
    await repository.write("intended.txt", "intended\n");
    await repository.git("add", "--intent-to-add", "intended.txt");
    const [diff] = await repository.unstagedDiffs();
    assert.deepEqual([diff?.change, diff?.added], ["added", 1]);
    assert.match(diff?.text ?? "", /^\+intended$/m);
  });

  it("show the conflict markers of an unfinished merge", async () => {
    await repository.git("switch", "--quiet", "--create", "other");
    await repository.write("src/a.ts", "one\ntheirs\nthree\n");
    await repository.commit();
    await repository.git("switch", "--quiet", "main");
    await repository.write("src/a.ts", "one\nours\nthree\n");
    await repository.commit();
    await assert.rejects(repository.git("merge", "other"));
    const [diff, ...others] = await repository.unstagedDiffs();
    assert.deepEqual(others, []);
    assert.match(
      diff?.text ?? "",
      /^unmerged: .*\n--- a\/src\/a\.ts\n\+\+\+ b\/src\/a\.ts\n@@ -1,3 \+1,7 @@\n one\n\+<<<<<<< HEAD\n ours\n\+=======\n\+theirs\n/m,
    );
    const staged = await repository.diffs([{ path: "src/a.ts", kind: "unmerged" }], {
      before: "HEAD",
      after: "",
    });
    assert.equal(
      textOf(staged),
      "diff --git a/src/a.ts b/src/a.ts\nunmerged: both sides of a merge changed this file\n",
    );
  });

  itBesidesWindows("show a link's target path but never the target's content", async () => {
    const outside = await GitRepositoryOnDisk.create();
    await outside.write("secret.txt", "a secret\n");
    await symlink(path.join(outside.folder, "secret.txt"), path.join(repository.folder, "link"));
    await repository.commit();
    await rm(path.join(repository.folder, "link"));
    await symlink("src/a.ts", path.join(repository.folder, "link"));
    // Links to outside the repository replace a folder and a file.
    await rm(path.join(repository.folder, "src"), { recursive: true });
    await outside.write("a.ts", "a secret\n");
    await symlink(outside.folder, path.join(repository.folder, "src"));
    await rm(path.join(repository.folder, "gone.txt"));
    await symlink(path.join(outside.folder, "secret.txt"), path.join(repository.folder, "gone.txt"));
    const diffs = await repository.unstagedDiffs();
    assert.doesNotMatch(textOf(diffs), /a secret/);
    assert.match(textOf(diffs), /^old mode 100644\nnew mode 120000\n--- a\/gone\.txt/m);
    assert.equal(diffs.find(({ paths }) => paths[0] === "src/a.ts")?.change, "deleted");
    assert.match(textOf(diffs), /^\+src\/a\.ts$/m);
    // As if the folder was replaced after Git had listed the changes.
    const [late] = await repository.diffs([{ path: "src/a.ts", kind: "modified" }], unstagedStates);
    assert.equal(late?.change, "deleted");
    await outside[Symbol.asyncDispose]();
  });

  it("show a submodule's commits, or only that it has changed, and never its content", async () => {
    await using inner = await GitRepositoryOnDisk.create();
    await inner.write("a.txt", "inner\n");
    const first = await inner.commit();
    await repository.git("submodule", "--quiet", "add", inner.folder, "libs/tool");
    const added = await repository.stagedDiffs();
    assert.match(textOf(added), /^diff --git a\/libs\/tool b\/libs\/tool\nnew file mode 160000\n/m);
    const before = await repository.commit();
    await inner.write("a.txt", "inner of later\n");
    const second = await inner.commit();
    await repository.git("-C", "libs/tool", "pull", "--quiet");
    await repository.git("config", "diff.submodule", "diff");
    const unstaged = await repository.unstagedDiffs();
    assert.deepEqual(
      unstaged.map(({ paths }) => paths),
      [["libs/tool"]],
    );
    assert.equal(textOf(unstaged), "diff --git a/libs/tool b/libs/tool\n(the submodule has changed)\n");
    await repository.git("add", "--all");
    assert.match(textOf(await repository.stagedDiffs()), new RegExp(`^-Subproject commit ${first}$`, "m"));
    const after = await repository.commit();
    const diffs = await repository.diffs([{ path: "libs/tool", kind: "modified" }], { before, after });
    assert.match(
      textOf(diffs),
      new RegExp(`^-Subproject commit ${first}\\n\\+Subproject commit ${second}$`, "m"),
    );
    assert.doesNotMatch(textOf(diffs), /inner/);
  });

  itBesidesWindows("show a changed executable bit if nothing else has changed", async () => {
    await chmod(path.join(repository.folder, "src/a.ts"), 0o755);
    assert.equal(
      textOf(await repository.unstagedDiffs()),
      "diff --git a/src/a.ts b/src/a.ts\nold mode 100644\nnew mode 100755\n",
    );
    await repository.git("add", "--all");
    assert.match(textOf(await repository.stagedDiffs()), /^old mode 100644\nnew mode 100755\n/m);
  });

  it("name large files without reading them", async () => {
    await repository.write("large.txt", "a line\n".repeat(400_000));
    await repository.git("add", "--all");
    const [diff] = await repository.stagedDiffs();
    assert.deepEqual([diff?.withoutLines, diff?.change], ["too-large", "added"]);
    await repository.commit();
    await repository.write("large.txt", "a line of now\n".repeat(400_000));
    assert.equal((await repository.unstagedDiffs())[0]?.withoutLines, "too-large");
    await repository.git("reset", "--quiet", "--hard");
    await repository.git("mv", "large.txt", "huge.txt");
    const [moved] = await repository.stagedDiffs();
    assert.deepEqual([moved?.withoutLines, moved?.paths], [undefined, ["large.txt", "huge.txt"]]);
  });

  it("ignore line endings that Git converted for this machine", async () => {
    await repository.git("config", "core.autocrlf", "true");
    await repository.write("src/a.ts", "one\r\n2\r\nthree\r\n");
    const [diff] = await repository.unstagedDiffs();
    assert.deepEqual([diff?.added, diff?.removed], [1, 1]);
    assert.match(diff?.text ?? "", /^ one\n-two\n\+2\n three\n$/m);
  });

  itBesidesWindows("read no other file if a name contains a backslash", async () => {
    await repository.write("private/notes.md", "a secret\n");
    await repository.write("private\\notes.md", "plain\n");
    await repository.commit();
    await repository.write("private\\notes.md", "plain\nmore\n");
    const diffs = await repository.unstagedDiffs();
    assert.deepEqual(
      diffs.map(({ paths, withoutLines }) => [...paths, withoutLines]),
      [["private\\notes.md", "unread"]],
    );
  });

  it("never fail if files or objects are missing", async () => {
    const read = (name: string, kind: "modified" | "deleted" | "added"): Promise<FileDiff> =>
      readFileDiff(
        { path: name, kind },
        {
          git: {
            getObjectDetails: () => Promise.reject(new Error("no git")),
            buffer: () => Promise.reject(new Error("no git")),
          },
          root: repository.folder,
          states: unstagedStates,
          decode: async (bytes) => {
            const decoded = decodeBytes(bytes);
            return decoded.kind === "text" ? decoded.text : undefined;
          },
        },
      );
    assert.equal((await read("src/a.ts", "modified")).withoutLines, "unread");
    assert.equal((await read("nowhere.ts", "deleted")).withoutLines, "unread");
    assert.equal(
      (await read("nowhere.ts", "added")).text,
      "diff --git a/nowhere.ts b/nowhere.ts\nnew file\n",
    );
    await mkdir(path.join(repository.folder, "folder"));
    assert.equal(
      (await read("folder", "modified")).text,
      "diff --git a/folder b/folder\n(the submodule has changed)\n",
    );
  });

  it("treat unknown Git states as modified", () => {
    assert.deepEqual([0, 5, 11, 99].map(kindOfStatus), Array<string>(4).fill("modified"));
    assert.deepEqual([1, 2, 3, 4, 6, 7, 9, 10, 18].map(kindOfStatus), [
      "added",
      "deleted",
      "renamed",
      "copied",
      "deleted",
      "added",
      "added",
      "renamed",
      "unmerged",
    ]);
  });
});
