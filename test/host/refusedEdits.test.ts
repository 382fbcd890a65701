import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { FarFiles } from "./farFiles.ts";
import { assertRefused, withAgentEdits } from "./withAgentEdits.ts";
import { replaceFileSystem, replaceFolders, storedKey } from "./withAgentTools.ts";
import { writeSetting } from "./writeSetting.ts";

describe("refused agent edits", () => {
  const files = withAgentEdits();

  it("are those outside the workspace, also behind links", async () => {
    const there = path.join(files.agent.outside, "there.txt");
    await writeFile(there, "outside\n");
    await symlink(there, files.pathOf("link.txt"));
    await symlink(files.agent.outside, files.pathOf("linked"));
    await symlink(path.join(files.agent.outside, "missing.txt"), files.pathOf("dangling.txt"));
    await files.read("link.txt");
    for (const given of [there, files.named("link.txt"), files.named("linked/there.txt")]) {
      await assertRefused(
        files.agent.call("edit_file", { path: given, oldText: "outside", newText: "x" }),
        /is outside the workspace\. Only files in the workspace can be written\. Nothing was changed\.$/,
      );
    }
    for (const given of [
      files.named("linked/new.txt"),
      files.named("dangling.txt"),
      `../${path.basename(files.agent.outside)}/new.txt`,
      path.join(files.agent.outside, "new.txt"),
      "/new.txt",
    ]) {
      await assertRefused(
        files.agent.call("create_file", { path: given, content: "x" }),
        /outside the workspace|is not in the workspace/,
      );
    }
    assert.deepEqual(await readdir(files.agent.outside), ["there.txt"]);
    assert.equal(await readFile(there, "utf8"), "outside\n");
    assert.equal(files.asked.length, 0);
  });

  it("are those in a folder that becomes a link while the card is open", async () => {
    files.agent.reply = async () => {
      await symlink(files.agent.outside, files.pathOf("sub"));
      return { type: "allow", scope: "call" };
    };
    await assertRefused(
      files.create("sub/new.txt", "x"),
      /now leads to another place\. Nothing was changed\./,
    );
    await assert.rejects(stat(path.join(files.agent.outside, "new.txt")));
  });

  it("are those in the folder of a Git repository", async () => {
    await files.write(".git/config", "[core]\n");
    await symlink(".git", files.pathOf("docs"));
    for (const name of [".git/hooks/pre-commit", ".GIT/x", ".git", "docs/new", "sub/.git/x"])
      await assertRefused(files.create(name, "x"), /belongs to Git itself|exists already/);
    await assertRefused(
      files.edit(".git/config", "core", "x"),
      /belongs to Git itself, and is never written/,
    );
    await assertRefused(files.edit("docs/config", "core", "x"), /belongs to Git itself/);
    assert.deepEqual(await readdir(files.pathOf(".git")), ["config"]);
  });

  it("are those of binaries, folders and large files, and of new notebooks", async () => {
    await files.write("binary.dat", Buffer.from([0x89, 0x50, 0, 1, 2, 3, 0xff, 0xfe]));
    await files.write("large.txt", Buffer.alloc(50 * 1024 * 1024 + 1, "a"));
    await mkdir(files.pathOf("folder"));
    const cases = {
      "binary.dat": /is not a text file/,
      "large.txt": /is too large to edit: 50 MB, the limit is 50 MB/,
      folder: /is a folder/,
      "missing.txt": /There is no file/,
    };
    for (const [name, words] of Object.entries(cases)) await assertRefused(files.edit(name, "a", "b"), words);
    await assertRefused(files.create("new.ipynb", "{}"), /is a notebook, which this tool cannot create/);
    await assertRefused(files.create("new.txt", "a\0b"), /content holds a NUL character/);
    assert.deepEqual(files.agent.asked, []);
  });

  it("are those of excluded files", async () => {
    await writeSetting("inference.chat.exclude", { "**/kept-out/**": true });
    try {
      await files.write("kept-out/a.ts", "a\n");
      const words = /inference\.chat\.exclude keeps .* out of the chat\. Nothing was changed\./;
      await assertRefused(files.edit("kept-out/a.ts", "a", "b"), words);
      await assertRefused(files.create("kept-out/new.ts", "b"), words);
    } finally {
      await writeSetting("inference.chat.exclude", undefined);
    }
  });

  it("are those with names that some systems read otherwise", async () => {
    const cases = {
      "nul.txt": "The path holds the name of a device.",
      "a.txt.": "A name in the path ends in a dot or a space.",
      "a.txt:stream": "A name in the path holds a colon.",
      "a\u0000.txt": "The path holds a control character.",
    };
    for (const [name, text] of Object.entries(cases)) await assertRefused(files.create(name, "x"), text);
    assert.deepEqual(await readdir(files.pathOf("")), []);
  });

  it("are those that would write the mark of a key", async () => {
    await files.write("keys.ts", `const key = "${storedKey}";\nconst a = 1;\n`);
    assert.match(await files.read("keys.ts"), /const key = "\[API key\]";/);
    await assertRefused(
      files.edit("keys.ts", "const a = 1;", 'const a = "[API key]";'),
      /^newText holds the mark \[API key\]/,
    );
    await assertRefused(files.create("new.ts", "[API key]"), /^content holds the mark \[API key\]/);
    await assertRefused(
      files.edit("keys.ts", 'const key = "[API key]";', "x"),
      /stands for a key that is not shown/,
    );
    // Lines beside the key can be edited. The card and the result do not hold the key.
    const { text } = await files.edit("keys.ts", "const a = 1;", "const a = 2;");
    assert.equal(await files.textIn("keys.ts"), `const key = "${storedKey}";\nconst a = 2;\n`);
    assert.ok(!text.includes(storedKey) && !JSON.stringify(files.asked).includes(storedKey));
    assert.match(files.asked[0]?.diff ?? "", /\[API key\]/);
  });

  it("are those over an existing file", async () => {
    await files.write("a.ts", "a\n");
    await assertRefused(
      files.create("a.ts", "b"),
      `${files.named("a.ts")} exists already. Use edit_file. Nothing was created.`,
    );
    files.agent.reply = async () => {
      await files.write("new.ts", "made meanwhile\n");
      return { type: "allow", scope: "call" };
    };
    await assertRefused(files.create("new.ts", "b"), /exists already/);
    assert.equal(await files.textIn("new.ts"), "made meanwhile\n");
  });

  it("are those over an existing file of another case, where the file system folds it", async () => {
    await files.write("Readme.md", "a\n");
    // As on a file system that folds case.
    const { fs } = vscode.workspace;
    using _ = replaceFileSystem({
      stat: (uri) =>
        fs.stat(uri.path.endsWith("/README.md") ? vscode.Uri.file(files.pathOf("Readme.md")) : uri),
    });
    await assertRefused(files.create("README.md", "b"), /exists already/);
  });

  it("are all in Restricted Mode", async () => {
    const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted");
    assert.ok(descriptor);
    Object.defineProperty(vscode.workspace, "isTrusted", { configurable: true, value: false });
    try {
      await assertRefused(
        files.create("new.ts", "b"),
        "The workspace is in Restricted Mode. Nothing was changed.",
      );
      await assertRefused(
        files.edit("a.ts", "a", "b"),
        "The workspace is in Restricted Mode. Nothing was changed.",
      );
    } finally {
      Object.defineProperty(vscode.workspace, "isTrusted", descriptor);
    }
  });

  it("are those in a file system that cannot be written", async () => {
    const far = new FarFiles({ "/ws/a.ts": "a\n" });
    const provider = vscode.workspace.registerFileSystemProvider(FarFiles.scheme, far, {
      isReadonly: true,
    });
    using _ = replaceFolders([vscode.Uri.from({ scheme: FarFiles.scheme, path: "/ws" })]);
    const words = "The file system of the workspace is read-only. Nothing was changed.";
    await assertRefused(files.agent.call("edit_file", { path: "a.ts", oldText: "a", newText: "b" }), words);
    await assertRefused(files.agent.call("create_file", { path: "b.ts", content: "b" }), words);
    provider.dispose();
  });

  it("are those below a file", async () => {
    await files.write("a.ts", "a\n");
    await assertRefused(
      files.create("a.ts/new.ts", "b"),
      /could not be created: a part of its path may be a file/,
    );
    assert.equal(await files.textIn("a.ts"), "a\n");
  });
});
