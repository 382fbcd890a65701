import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { findReadable } from "../../src/editor/agent/findFiles.ts";
import { GitRepositoryOnDisk } from "../support/gitRepository.ts";
import { legacyBytes } from "../support/legacyBytes.ts";
import { openRepository } from "./openRepository.ts";
import { ownFolder, replaceDiskReads, replaceFileSystem, withAgentTools } from "./withAgentTools.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

describe("results of agent tools", () => {
  const bench = withAgentTools();

  const search = (given: object): Promise<string> =>
    bench.textOf("search_text", { includePattern: `${ownFolder}/searched/**`, ...given });
  const find = async (given: object): Promise<string> =>
    (await bench.textOf("find_files", given)).replaceAll(`${ownFolder}/found/`, "");

  describe("reading a file", () => {
    const at5 = { path: `${ownFolder}/five.txt` };

    before(() => bench.write("five.txt", "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n"));

    it("return numbered lines", async () => {
      assert.deepEqual(await bench.call("read_file", at5), {
        outcome: "done",
        text: "1\tone\n2\ttwo\n3\tthree\n4\tfour\n5\tfive",
        facts: { firstLine: 1, lastLine: 5, isCut: false },
      });
    });

    it("return a range, by any of its names and with numbers as text, and say what is left", async () => {
      const expected = "2\ttwo\n3\tthree\n(Lines 4-5 are not shown. Read on with startLine 4.)";
      for (const given of [
        { ...at5, startLine: 2, endLine: 3 },
        { filePath: at5.path, start_line: "2", end_line: "3", explanation: "to see" },
        { path: null, file: `/${at5.path}`, offset: 2, endLine: 3 },
        { path: bench.at("five.txt").fsPath, startLine: 2, endLine: 3 },
        { path: `./${ownFolder}/x/../five.txt`, startLine: 2, endLine: 3 },
        { path: String.raw`agent-tools\five.txt`, startLine: 2, endLine: 3 },
        { path: `${workspaceFolder().name}/${at5.path}`, startLine: 2, endLine: 3 },
      ]) {
        assert.equal(await bench.textOf("read_file", given), expected, JSON.stringify(given));
      }
      assert.deepEqual(bench.asked, []);
      assert.equal(await bench.textOf("read_file", { ...at5, startLine: 9 }), "(The file ends at line 5.)");
    });

    it("stop at 2,000 lines, at 48,000 characters and in long lines, and say so", async () => {
      await bench.write("long.txt", "a line\n".repeat(3450));
      const long = await bench.call("read_file", { path: `${ownFolder}/long.txt` });
      assert.deepEqual(long.facts, { firstLine: 1, lastLine: 2000, isCut: true });
      assert.ok(long.text.endsWith("(Lines 2001-3450 are not shown. Read on with startLine 2001.)"));
      await bench.write("wide.txt", `${"x".repeat(1000)}\n`.repeat(100));
      const wide = await bench.call("read_file", { path: `${ownFolder}/wide.txt` });
      assert.ok(wide.text.length > 45_000 && wide.text.length <= 48_000, `${wide.text.length}`);
      assert.match(wide.text, /\(Lines 4\d-100 are not shown\. Read on with startLine 4\d\.\)$/);
      await bench.write("line.txt", "x".repeat(90_000));
      const line = await bench.textOf("read_file", { path: `${ownFolder}/line.txt` });
      assert.equal(line, `1\t${"x".repeat(2000)} (line cut: 90000 characters)`);
    });

    it("fail for a file that is too large, and read no part of it", async () => {
      await bench.write("large.txt", Buffer.alloc(11 * 1024 * 1024, "0123456\n"));
      using _ = replaceDiskReads({
        readFile: (file, real) => (file.endsWith("large.txt") ? assert.fail("It was read.") : real()),
      });
      assert.equal(
        await bench.faultOf("read_file", { path: `${ownFolder}/large.txt`, startLine: 1, endLine: 1 }),
        `${ownFolder}/large.txt is too large to read: 11 MB, the limit is 10 MB. Nothing was read.`,
      );
    });

    it("fail for binary data, a missing file and a folder", async () => {
      await bench.write("data.bin", Uint8Array.of(0, 1, 2, 3, 0, 255, 0, 7, 0, 0, 1));
      for (const [name, text] of [
        ["data.bin", `${ownFolder}/data.bin is not a text file. Nothing was read.`],
        [
          "none.ts",
          `There is no file ${ownFolder}/none.ts in this workspace. Use find_files to look for it.`,
        ],
        [".", `${ownFolder} is a folder. Use list_folder.`],
        [
          "five.txt/x",
          `There is no file ${ownFolder}/five.txt/x in this workspace. Use find_files to look for it.`,
        ],
      ] as const) {
        assert.equal(await bench.faultOf("read_file", { path: path.posix.join(ownFolder, name) }), text);
      }
    });

    if (process.platform !== "win32") {
      it("fail for a pipe, which has no end", async () => {
        await promisify(execFile)("mkfifo", [bench.at("pipe").fsPath]);
        const text = await bench.faultOf("read_file", { path: `${ownFolder}/pipe` });
        assert.equal(text, `${ownFolder}/pipe is not a file. Nothing was read.`);
      });
    }

    it("fail for a file that is deleted while it is read", async () => {
      const given = { path: `${ownFolder}/short-lived.txt` };
      for (const deletes of ["stat", "readFile"] as const) {
        await bench.write("short-lived.txt", "a line\n");
        let times = 0;
        // The first look finds the file.
        const deleting = async (file: string, real: () => Promise<unknown>): Promise<unknown> => {
          if (!file.endsWith("short-lived.txt")) return real();
          times += 1;
          if (deletes === "readFile" || times > 1) await rm(file, { force: true });
          return real();
        };
        using _ = replaceDiskReads({ [deletes]: deleting });
        assert.match(
          await bench.faultOf("read_file", given),
          deletes === "stat" ? /^There is no file/ : /^The tool failed: .*short-lived/,
        );
      }
    });

    it("return the unsaved text of an open document", async () => {
      await bench.write("open.txt", "saved\n");
      const editor = await vscode.window.showTextDocument(bench.at("open.txt"));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "not "));
      assert.equal(await bench.textOf("read_file", { path: `${ownFolder}/open.txt` }), "1\tnot saved");
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    });

    it("return the text of a file in another encoding", async () => {
      await bench.write("old.c", legacyBytes("shift_jis", "// 設定を読み込む\nint value = 1;\n"));
      const text = await bench.textOf("read_file", { path: `${ownFolder}/old.c` });
      assert.equal(text, "1\t// 設定を読み込む\n2\tint value = 1;");
      await bench.write("utf16.txt", Uint8Array.of(0xff, 0xfe, ...legacyBytes("utf-16le", "für\n")));
      assert.equal(await bench.textOf("read_file", { path: `${ownFolder}/utf16.txt` }), "1\tfür");
      await bench.write("empty.txt", "");
      assert.equal(
        await bench.textOf("read_file", { path: `${ownFolder}/empty.txt` }),
        "(The file is empty.)",
      );
    });

    it("find a name with an accent in any form of Unicode", async () => {
      await bench.write("é.txt", "found\n");
      assert.equal(await bench.textOf("read_file", { path: `${ownFolder}/e\u0301.txt` }), "1\tfound");
    });
  });

  describe("searching", () => {
    before(async () => {
      await bench.write("searched/b.ts", "const One = 1;\nconst two = one(2);\n");
      await bench.write("searched/deep/a.ts", "one()\n");
      await bench.write("searched/deep/notes.md", "ONE word, and on\ne\n");
      await bench.write("searched/old.c", legacyBytes("shift_jis", "// 設定を読み込む\nint one = 1;\n"));
      await bench.write("searched/data.bin", Uint8Array.of(0, 111, 110, 101, 0, 255, 0, 7, 0, 0, 1));
      await bench.write("searched/large.txt", `one\n${"x".repeat(2 * 1024 * 1024)}`);
    });

    it("find a text in the text files, in upper or lower case", async () => {
      const expected = [
        "agent-tools/searched/b.ts:1: const One = 1;",
        "agent-tools/searched/b.ts:2: const two = one(2);",
        "agent-tools/searched/deep/a.ts:1: one()",
        "agent-tools/searched/deep/notes.md:1: ONE word, and on",
        "agent-tools/searched/old.c:2: int one = 1;",
      ];
      const result = await bench.call("search_text", {
        query: "one",
        includePattern: `${ownFolder}/searched/**`,
      });
      const text = expected.join("\n");
      assert.deepEqual(result, { outcome: "done", text, facts: { count: 5, isCut: false } });
      assert.equal(await search({ query: "設定" }), `${ownFolder}/searched/old.c:1: // 設定を読み込む`);
    });

    it("take a text literally, and a regular expression as one", async () => {
      assert.equal(
        await search({ query: "one(" }),
        [
          `${ownFolder}/searched/b.ts:2: const two = one(2);`,
          `${ownFolder}/searched/deep/a.ts:1: one()`,
        ].join("\n"),
      );
      const found = `${ownFolder}/searched/b.ts:2: const two = one(2);`;
      for (const given of [
        { query: String.raw`one\(\d`, isRegexp: true },
        { pattern: String.raw`^CONST \w+ = o`, isRegex: "true" },
      ])
        assert.equal(await search(given), found);
      assert.equal(await search({ query: String.raw`one\(\d` }), "No line matches.");
    });

    it("search the files of a pattern", async () => {
      const paths = async (includePattern: string): Promise<string> =>
        (await search({ query: "one", includePattern }))
          .replaceAll(/:.*/g, "")
          .replaceAll(`${ownFolder}/searched/`, "");
      assert.equal(await paths(`${ownFolder}/searched/**/*.ts`), "b.ts\nb.ts\ndeep/a.ts");
      assert.equal(await paths(`./${ownFolder}/searched/deep/*.{ts,md}`), "deep/a.ts\ndeep/notes.md");
      assert.equal(await paths("notes.md"), "deep/notes.md");
      const given = { query: "one", include: `${ownFolder}/searched/*.md` };
      assert.equal(await bench.textOf("search_text", given), "No line matches.");
      const inAll = await search({ query: "const One", includePattern: "" });
      assert.equal(inAll, `${ownFolder}/searched/b.ts:1: const One = 1;`);
    });

    it("fail for a pattern, a regular expression or a query that cannot be used", async () => {
      assert.match(
        await bench.faultOf("search_text", { query: "(one", isRegexp: true }),
        /^The regular expression is not valid: Invalid regular expression: \/\(one\//,
      );
      const glob = await bench.faultOf("search_text", { query: "one", includePattern: "{a,b" });
      assert.equal(glob, "The pattern {a,b is not a valid glob.");
      assert.equal(await bench.faultOf("search_text", { query: " " }), "The query is empty.");
    });

    it("stop at 20 lines or at the wanted number, at most 200, and say so", async () => {
      await bench.write("searched/many.txt", "some word\n".repeat(300));
      for (const [maxResults, count] of [
        [undefined, 20],
        ["7", 7],
        [0, 1],
        [9999, 200],
      ] as const) {
        const { text, facts } = await bench.call("search_text", { query: "some word", maxResults });
        assert.deepEqual(facts, { count, isCut: true });
        assert.ok(text.endsWith("\n(More lines may match. Ask for more, or search for less.)"), text);
        assert.equal(text.split("\n").length, count + 1);
      }
    });

    it("end a regular expression that takes too long, for all files at once", async () => {
      const names = Array.from({ length: 80 }, (_, index) => `slow/${index}.txt`);
      for (const name of names) await bench.write(name, `${"a".repeat(60)}!\n`);
      const begun = performance.now();
      const given = { query: "^(a+)+$", isRegexp: true, includePattern: `${ownFolder}/slow/*` };
      assert.equal(
        await bench.faultOf("search_text", given),
        "The regular expression takes too long. Use a simpler one.",
      );
      // Workers that search further files would block the extension host for 32 seconds.
      assert.equal(
        await bench.textOf("find_files", { pattern: `${ownFolder}/slow/7.txt` }),
        `${ownFolder}/slow/7.txt`,
      );
      assert.ok(performance.now() - begun < 15_000, `${performance.now() - begun} ms`);
    });

    it("return what was found until the deadline, and say so", async () => {
      const descriptor = Object.getOwnPropertyDescriptor(AbortSignal, "timeout");
      assert.ok(descriptor);
      const deadline = new AbortController();
      const { fs } = vscode.workspace;
      const readFile = (uri: vscode.Uri): Thenable<Uint8Array> => {
        if (!uri.path.endsWith("a.ts")) return fs.readFile(uri);
        setTimeout(() => deadline.abort(), 1000);
        return new Promise(() => undefined);
      };
      using _ = replaceFileSystem({ readFile });
      Object.defineProperty(AbortSignal, "timeout", { ...descriptor, value: () => deadline.signal });
      try {
        const text = await search({ query: "one", includePattern: `${ownFolder}/searched/**/*.ts` });
        assert.equal(
          text.replaceAll(/^.*b\.ts:.*\n/gm, ""),
          "(The search stopped after 20 seconds. Not all files were searched.)",
        );
      } finally {
        Object.defineProperty(AbortSignal, "timeout", descriptor);
      }
    });
  });

  describe("finding files", () => {
    before(async () => {
      for (const name of ["b.ts", "a.ts", "deep/c.ts", "deep/c.md", "node_modules/d.ts"])
        await bench.write(`found/${name}`, "");
      await Promise.all(
        Array.from({ length: 230 }, (_, index) => bench.write(`found/many/${1000 + index}.x`, "")),
      );
      await bench.write("found/generated/.gitignore", "*\n");
      await bench.write("found/generated/out.ts", "");
    });

    it("return the paths that match, in order", async () => {
      const pattern = `${ownFolder}/found/**/*.ts`;
      assert.deepEqual(await bench.call("find_files", { pattern }), {
        outcome: "done",
        text: ["a.ts", "b.ts", "deep/c.ts"].map((name) => `${ownFolder}/found/${name}`).join("\n"),
        facts: { count: 3, isCut: false },
      });
      assert.equal(await find({ glob: "c.{ts,md}" }), "deep/c.md\ndeep/c.ts");
      assert.equal(await find({ query: `./${ownFolder}/found/deep/?.md` }), "deep/c.md");
      assert.equal(await find({ pattern: `${ownFolder}/found/*.rs` }), "No file matches *.rs.");
    });

    it("stop at 200 paths or at the wanted number, and say how many are left", async () => {
      for (const [maxResults, count] of [
        [undefined, 200],
        [5000, 200],
        ["3", 3],
        [-1, 1],
      ] as const) {
        const { text, facts } = await bench.call("find_files", {
          pattern: `${ownFolder}/found/many/*`,
          maxResults,
        });
        assert.deepEqual(facts, { count, isCut: true });
        const lines = text.split("\n");
        assert.equal(lines.at(-1), `(${230 - count} more are not shown. Use a narrower pattern.)`);
        assert.deepEqual([lines[0], lines.length], [`${ownFolder}/found/many/1000.x`, count + 1]);
      }
    });

    it("fail for a pattern that cannot be read", async () => {
      for (const pattern of ["{a,b", "{".repeat(1500)])
        assert.match(
          await bench.faultOf("find_files", { pattern }),
          /^The pattern .*is not a valid glob\.$/s,
        );
    });

    it("say if a workspace has more files than are looked at", async () => {
      const { signal } = new AbortController();
      const few = await findReadable(`${ownFolder}/found/many/*`, signal, 100);
      assert.deepEqual([few.files.length, few.isCut], [100, true]);
      assert.equal((await findReadable(`${ownFolder}/found/many/*`, signal)).isCut, false);
    });
  });

  describe("listing folders", () => {
    before(async () => {
      for (const name of ["b/c/deep.txt", "b/a.txt", "a.txt", "Z.txt", "empty.txt"])
        await bench.write(`listed/${name}`, "");
      await mkdir(path.join(bench.root, "listed/none"));
      await bench.write("listed/.gitignore", "out/\n");
      await bench.write("listed/out/a.txt", "");
    });

    it("return the entries, with folders marked", async () => {
      const expected = [".gitignore", "Z.txt", "a.txt", "b/", "empty.txt", "none/"];
      const text = expected.join("\n");
      assert.deepEqual(await bench.call("list_folder", { path: `${ownFolder}/listed` }), {
        outcome: "done",
        text,
        facts: { count: 6, isCut: false },
      });
      assert.equal(
        await bench.textOf("list_folder", { dir: `/${ownFolder}/listed/`, recursive: "false" }),
        text,
      );
    });

    it("return all folders in it, the nearest entries first", async () => {
      assert.equal(
        await bench.textOf("list_folder", { path: `${ownFolder}/listed/b/..`, recursive: true }),
        [".gitignore", "Z.txt", "a.txt", "b/", "empty.txt", "none/", "b/a.txt", "b/c/", "b/c/deep.txt"].join(
          "\n",
        ),
      );
    });

    it("return the workspace by default, and by its name", async () => {
      const expected = await bench.textOf("list_folder", {});
      assert.ok(expected.split("\n").includes("summary.ts") && expected.includes(`${ownFolder}/`));
      for (const given of ["", ".", "./", "/", workspaceFolder().name, `${workspaceFolder().name}/`])
        assert.equal(await bench.textOf("list_folder", { path: given }), expected, given);
    });

    it("stop at 500 entries, and say so", async () => {
      await Promise.all(Array.from({ length: 501 }, (_, index) => bench.write(`full/${1000 + index}/a`, "")));
      for (const recursive of [false, true]) {
        const { text, facts } = await bench.call("list_folder", { path: `${ownFolder}/full`, recursive });
        assert.deepEqual(facts, { count: 500, isCut: true });
        assert.ok(text.endsWith("1499/\n(More entries are not shown. List a folder in it instead.)"));
      }
      await rm(path.join(bench.root, "full/1500"), { recursive: true });
      assert.deepEqual((await bench.call("list_folder", { path: `${ownFolder}/full` })).facts, {
        count: 500,
        isCut: false,
      });
    });

    it("say that a folder is empty, or missing", async () => {
      assert.equal(
        await bench.textOf("list_folder", { path: `${ownFolder}/listed/none` }),
        "The folder is empty, or all of it is ignored.",
      );
      for (const name of ["nowhere", "listed/a.txt"])
        assert.equal(
          await bench.faultOf("list_folder", { path: `${ownFolder}/${name}` }),
          `There is no folder ${ownFolder}/${name} in this workspace.`,
        );
    });
  });

  describe("reading problems", () => {
    const problems = vscode.languages.createDiagnosticCollection("agent-tools");
    const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
    const problem = (line: number, message: string, severity = error): vscode.Diagnostic =>
      new vscode.Diagnostic(new vscode.Range(line, 4, line, 9), message, severity);

    before(async () => {
      for (const name of ["one.ts", "two.ts", "many.ts", ".env", "quiet.ts"])
        await bench.write(`bad/${name}`, "");
      problems.set(bench.at("bad/one.ts"), [
        problem(0, "A warning", warning),
        problem(8, "Second"),
        problem(2, "First"),
      ]);
      problems.set(bench.at("bad/two.ts"), [problem(1, "Other")]);
      problems.set(bench.at("bad/.env"), [problem(0, "Of a file with keys")]);
      problems.set(vscode.Uri.file(path.join(bench.outside, "a.ts")), [problem(0, "Of a file elsewhere")]);
    });
    after(() => problems.dispose());

    it("return those of a file, errors first", async () => {
      const text = [
        `${ownFolder}/bad/one.ts:3:5 error: First`,
        `${ownFolder}/bad/one.ts:9:5 error: Second`,
        `${ownFolder}/bad/one.ts:1:5 warning: A warning`,
      ].join("\n");
      for (const given of [{ paths: [`${ownFolder}/bad/one.ts`] }, { path: `${ownFolder}/bad/one.ts` }])
        assert.deepEqual(await bench.call("get_problems", given), {
          outcome: "done",
          text,
          facts: { count: 3, isCut: false },
        });
    });

    it("return those of all files that no rule keeps out", async () => {
      const text = await bench.textOf("get_problems", {});
      assert.match(text, /one\.ts:3:5 error: First/);
      assert.match(text, /two\.ts:2:5 error: Other/);
      assert.doesNotMatch(text, /keys|elsewhere/);
      assert.deepEqual(bench.asked, []);
    });

    it("say that there are none, or no such file", async () => {
      assert.deepEqual(await bench.call("get_problems", { paths: [`${ownFolder}/bad/quiet.ts`] }), {
        outcome: "done",
        text: "VS Code shows no problems.",
        facts: { count: 0 },
      });
      assert.match(
        await bench.faultOf("get_problems", { paths: [`${ownFolder}/bad/none.ts`] }),
        /^There is no file/,
      );
    });

    it("stop at 50 of a file and at 500 of all, and say so", async () => {
      const many = Array.from({ length: 60 }, (_, line) => problem(line, `Problem ${line}`, warning));
      problems.set(bench.at("bad/many.ts"), [...many, problem(99, "The error")]);
      const lines = (await bench.textOf("get_problems", { paths: [`${ownFolder}/bad/many.ts`] })).split("\n");
      assert.equal(lines.length, 51);
      assert.equal(lines[0], `${ownFolder}/bad/many.ts:100:5 error: The error`);
      assert.equal(lines[50], `(11 more problems in ${ownFolder}/bad/many.ts are not shown.)`);
      for (let index = 0; index < 12; index += 1) problems.set(bench.at(`bad/more-${index}.ts`), many);
      const all = await bench.call("get_problems", {});
      assert.deepEqual(all.facts, { count: 500, isCut: true });
      assert.ok(all.text.endsWith("\n(More problems are not shown. Name files.)"));
    });
  });

  describe("reading changes", () => {
    const { getExtension } = vscode.extensions;
    let disk: GitRepositoryOnDisk;
    let elsewhere: GitRepositoryOnDisk;
    let name: string;

    before(async () => {
      disk = await GitRepositoryOnDisk.create(workspaceFolder().uri.fsPath);
      elsewhere = await GitRepositoryOnDisk.create();
      name = path.basename(disk.folder);
      for (const file of ["a.ts", ".env", "kept-out/notes.md"]) await disk.write(file, "one\n");
      await disk.commit("the first");
      await elsewhere.write("away.ts", "one\n");
      await elsewhere.commit("the first");
      // The oldest editor opens a repository outside the workspace only with this setting.
      await writeSetting("git.openRepositoryInParentFolders", "always");
      const repositories = [await openRepository(disk.folder), await openRepository(elsewhere.folder)];
      const api = { getAPI: () => ({ repositories }) };
      Object.assign(vscode.extensions, {
        getExtension: (id: string) =>
          id === "vscode.git" ? { activate: async () => api } : getExtension(id),
      });
      await writeSetting("inference.chat.exclude", { "**/kept-out/**": true });
    });
    beforeEach(async () => {
      for (const repository of [disk, elsewhere]) {
        await repository.git("reset", "--quiet", "--hard");
        await repository.git("clean", "--quiet", "--force", "-d");
      }
    });
    after(async () => {
      Object.assign(vscode.extensions, { getExtension });
      await writeSetting("git.openRepositoryInParentFolders", undefined);
      await writeSetting("inference.chat.exclude", undefined);
      await disk[Symbol.asyncDispose]();
      await elsewhere[Symbol.asyncDispose]();
    });

    const diff = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n";

    it("return the diff of those that are not staged, or of those that are", async () => {
      const none = "There are no changes that are not staged.";
      assert.equal(await bench.textOf("get_changes", {}), none);
      assert.equal(await bench.textOf("get_changes", { staged: true }), "Nothing is staged.");
      await disk.write("a.ts", "two\n");
      assert.deepEqual(await bench.call("get_changes", {}), {
        outcome: "done",
        text: `Repository ${name}:\n${diff}`,
        facts: { count: 1 },
      });
      await disk.git("add", "a.ts");
      assert.equal(await bench.textOf("get_changes", { staged: "true" }), `Repository ${name}:\n${diff}`);
      assert.equal(await bench.textOf("get_changes", {}), none);
    });

    it("leave out excluded files, files with keys and files outside the workspace", async () => {
      for (const file of [".env", "kept-out/notes.md", "kept-out/new.md", "id_rsa"])
        await disk.write(file, "two\n");
      await elsewhere.write("away.ts", "two\n");
      await elsewhere.write("new.ts", "two\n");
      assert.equal(await bench.textOf("get_changes", {}), "There are no changes that are not staged.");
      await disk.write("new.ts", "two\n");
      assert.equal(
        await bench.textOf("get_changes", {}),
        `Repository ${name}:\nNew files that Git does not track: new.ts\n`,
      );
      await disk.git("add", "--all");
      assert.match(
        await bench.textOf("get_changes", { staged: true }),
        /^Repository .*\ndiff --git a\/new\.ts/,
      );
      assert.doesNotMatch(await bench.textOf("get_changes", { staged: true }), /env|kept-out|id_rsa|away/);
    });

    it("stop at 20,000 characters, and name the files that are left", async () => {
      for (let index = 0; index < 5; index += 1) await disk.write(`${index}.ts`, "a line\n".repeat(1000));
      await disk.git("add", "--all");
      const { text, facts } = await bench.call("get_changes", { staged: true });
      assert.deepEqual(facts, { count: 5 });
      assert.ok(text.length > 16_000 && text.length < 20_200, `${text.length}`);
      assert.ok(text.endsWith("(Changed too, but not shown because of their size: 2.ts, 3.ts, 4.ts)\n"));
    });

    it("name at most 200 files, and say how many are left", async () => {
      for (let index = 0; index < 203; index += 1) await disk.write(`new/${1000 + index}.ts`, "");
      assert.match(await bench.textOf("get_changes", {}), /new\/1199\.ts, and 3 more\n$/);
    });
  });

  describe("asking the user", () => {
    it("return the answer", async () => {
      bench.reply = { type: "answer", text: "The second" };
      const given = { question: "Which one?", options: ["The first", "x".repeat(300)] };
      assert.deepEqual(await bench.call("ask_user", given), { outcome: "done", text: "The second" });
      assert.deepEqual(bench.asked, [
        { type: "question", question: "Which one?", options: ["The first", "x".repeat(200)] },
      ]);
      const options = Array.from({ length: 12 }, (_, index) => `${index}`);
      await bench.call("ask_user", { question: "Which one?", options });
      await bench.call("ask_user", { question: "Why?" });
      assert.deepEqual(bench.asked.slice(1), [
        { type: "question", question: "Which one?", options: options.slice(0, 8) },
        { type: "question", question: "Why?", options: [] },
      ]);
    });

    it("say that the user denied the call, and why", async () => {
      const given = { question: "Which one?" };
      const text = "The user denied this call.";
      assert.deepEqual(await bench.call("ask_user", given), { outcome: "denied", text });
      bench.reply = { type: "deny", why: "Find out yourself" };
      assert.match((await bench.call("ask_user", given)).text, /and said: Find out yourself$/);
    });
  });
});
