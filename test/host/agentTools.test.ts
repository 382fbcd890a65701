import assert from "node:assert/strict";
import { rm, symlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import type { CallRequest } from "../../src/chat/transcript/steps.ts";
import { FarFiles } from "./farFiles.ts";
import { ownFolder, replaceDiskReads, replaceFolders, storedKey, withAgentTools } from "./withAgentTools.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

describe("agent tools", () => {
  const bench = withAgentTools();

  describe("that are offered", () => {
    it("are the seven that read, with instructions that name the workspace", () => {
      const tools = bench.startAnswer();
      assert.equal(
        tools.offered.map(({ name }) => name).join(),
        "read_file,search_text,find_files,list_folder,get_problems,get_changes,ask_user",
      );
      assert.ok(tools.instructions.includes(`The workspace is: ${workspaceFolder().name}.`));
      assert.equal(tools.mode, "plan");
    });

    it("leave out the one for changes if VS Code has no Git extension here", () => {
      const { getExtension } = vscode.extensions;
      Object.assign(vscode.extensions, { getExtension: () => undefined });
      try {
        const { offered } = bench.startAnswer();
        assert.ok(offered.length === 6 && offered.every(({ name }) => name !== "get_changes"));
      } finally {
        Object.assign(vscode.extensions, { getExtension });
      }
    });

    it("answer a call of another tool with the tools that exist", async () => {
      assert.deepEqual(await bench.call("run_command", { command: "ls" }), {
        outcome: "invalid",
        text: "There is no tool run_command. The tools are: read_file, search_text, find_files, list_folder, get_problems, get_changes, ask_user.",
      });
    });

    it("answer arguments that cannot be read with the fault", async () => {
      for (const [given, text] of [
        ['{"path": "a', "The arguments are not a JSON object."],
        ["[1]", "The arguments are not a JSON object."],
        [{}, 'The argument "path" is missing.'],
        [{ path: "a", startLine: "first" }, 'The argument "startLine" must be an integer.'],
      ] as const) {
        assert.deepEqual(await bench.call("read_file", given), { outcome: "invalid", text });
      }
    });
  });

  describe("that would leave the rules", () => {
    const settings: Readonly<Record<string, object>> = {
      "inference.chat.exclude": { "**/kept-out/**": true, [`${ownFolder}/faulty/{a,b`]: true },
      "files.exclude": { "**/hidden.txt": true },
    };

    before(async () => {
      const secret = "a word that is not sent\n";
      for (const name of [".env", "ignored.log", "hidden.txt", "kept-out/a.txt", "faulty/a.txt", "plain.txt"])
        await bench.write(name, secret);
      await bench.write(".gitignore", "*.log\nignored-folder/\n");
      await bench.write("ignored-folder/a.txt", secret);
      await bench.write("there.txt", secret, bench.outside);
      await bench.write("deep/there.txt", secret, bench.outside);
      await symlink(path.join(bench.outside, "there.txt"), path.join(bench.root, "link-away.txt"));
      await symlink(bench.outside, path.join(bench.root, "folder-away"));
      await symlink(".env", path.join(bench.root, "link-to-keys.txt"));
      await symlink("kept-out", path.join(bench.root, "link-to-kept-out"));
      await symlink("plain.txt", path.join(bench.root, "link-inside.txt"));
      for (const [name, value] of Object.entries(settings)) await writeSetting(name, value);
    });
    after(async () => {
      for (const name of Object.keys(settings)) await writeSetting(name, undefined);
      for (const name of [
        "link-away.txt",
        "folder-away",
        "link-to-keys.txt",
        "link-to-kept-out",
        ".gitignore",
      ])
        await rm(path.join(bench.root, name));
    });

    it("asks before it reads a file outside the workspace, a file with keys or an ignored file", async () => {
      const there = path.join(bench.outside, "there.txt");
      const cases: readonly (readonly [given: string, asks: Partial<CallRequest>])[] = [
        [there, { reason: "outside-workspace", path: there }],
        [
          path.join("..", path.relative(path.dirname(workspaceFolder().uri.fsPath), there)),
          { reason: "outside-workspace", path: there },
        ],
        [
          `${ownFolder}/link-away.txt`,
          { reason: "outside-workspace", path: `${ownFolder}/link-away.txt → ${there}` },
        ],
        [
          `${ownFolder}/folder-away/deep/there.txt`,
          {
            reason: "outside-workspace",
            path: `${ownFolder}/folder-away/deep/there.txt → ${path.join(bench.outside, "deep/there.txt")}`,
          },
        ],
        [`${ownFolder}/.env`, { reason: "sensitive-file", path: `${ownFolder}/.env` }],
        [`${ownFolder}/x/../.env`, { reason: "sensitive-file", path: `${ownFolder}/.env` }],
        [
          `${ownFolder}/link-to-keys.txt`,
          { reason: "sensitive-file", path: `${ownFolder}/link-to-keys.txt → ${ownFolder}/.env` },
        ],
        [
          `${ownFolder}/ignored.log`,
          { reason: "excluded-file", path: `${ownFolder}/ignored.log`, rule: ".gitignore" },
        ],
        [
          `${ownFolder}/ignored-folder/a.txt`,
          { reason: "excluded-file", path: `${ownFolder}/ignored-folder/a.txt`, rule: ".gitignore" },
        ],
        [
          `${ownFolder}/hidden.txt`,
          { reason: "excluded-file", path: `${ownFolder}/hidden.txt`, rule: "files.exclude" },
        ],
        [
          `${ownFolder}/faulty/a.txt`,
          { reason: "faulty-pattern", path: `${ownFolder}/faulty/a.txt`, rule: `${ownFolder}/faulty/{a,b` },
        ],
      ];
      for (const [given, expected] of cases) {
        bench.asked.length = 0;
        bench.reply = { type: "deny", why: "not this one" };
        assert.deepEqual(await bench.call("read_file", { path: given }), {
          outcome: "denied",
          text: "The user denied this call and said: not this one",
        });
        assert.deepEqual(bench.asked, [{ type: "approval", ...expected }]);
        bench.reply = { type: "allow", scope: "call" };
        assert.equal(await bench.textOf("read_file", { path: given }), "1\ta word that is not sent", given);
        assert.equal(bench.asked.length, 2);
      }
    });

    it("read a file behind a link that stays inside, and never ask", async () => {
      assert.equal(
        await bench.textOf("read_file", { path: `${ownFolder}/link-inside.txt` }),
        "1\ta word that is not sent",
      );
      assert.deepEqual(bench.asked, []);
    });

    it("never read a file that the chat's exclude setting matches, or a link to it", async () => {
      bench.reply = { type: "allow", scope: "call" };
      for (const name of ["kept-out/a.txt", "link-to-kept-out/a.txt"]) {
        assert.equal(
          await bench.faultOf("read_file", { path: `${ownFolder}/${name}` }),
          `The user's setting inference.chat.exclude keeps ${ownFolder}/${name} out of the chat.`,
        );
      }
      assert.deepEqual(bench.asked, []);
    });

    it("ask before they list a folder or problems outside the workspace", async () => {
      const calls: readonly (readonly [string, object, string])[] = [
        ["list_folder", { path: bench.outside }, bench.outside],
        ["list_folder", { path: `${ownFolder}/folder-away` }, `${ownFolder}/folder-away → ${bench.outside}`],
        [
          "get_problems",
          { paths: [path.join(bench.outside, "there.txt")] },
          path.join(bench.outside, "there.txt"),
        ],
      ];
      for (const [name, given, shown] of calls) {
        bench.asked.length = 0;
        assert.equal((await bench.call(name, given)).outcome, "denied");
        assert.deepEqual(bench.asked, [{ type: "approval", reason: "outside-workspace", path: shown }]);
      }
      bench.reply = { type: "allow", scope: "call" };
      assert.equal(await bench.textOf("list_folder", { path: bench.outside }), "deep/\nthere.txt");
    });

    it("refuses paths with device names, streams and control characters", async () => {
      bench.reply = { type: "allow", scope: "call" };
      const paths: Readonly<Record<string, string>> = {
        [`${ownFolder}/NUL`]: "The path holds the name of a device.",
        [`${ownFolder}/com1.txt`]: "The path holds the name of a device.",
        "C:/con/a.txt": "The path holds the name of a device.",
        [`${ownFolder}/.env::$DATA`]: "A name in the path holds a colon.",
        "file:///etc/hosts": "A name in the path holds a colon.",
        [`${ownFolder}/plain.txt\0.png`]: "The path holds a control character.",
        [`${ownFolder}/\u001b[2Jplain.txt`]: "The path holds a control character.",
        [`${ownFolder}/.env.`]: "A name in the path ends in a dot or a space.",
        [`${ownFolder}/.env `]: "A name in the path ends in a dot or a space.",
        [`${ownFolder}/${"a/".repeat(2100)}`]: "The path is too long.",
        " ": "The path is empty.",
      };
      for (const [given, text] of Object.entries(paths)) {
        assert.equal(await bench.faultOf("read_file", { path: given }), text);
        assert.equal(await bench.faultOf("list_folder", { path: given }), text);
        assert.equal(await bench.faultOf("get_problems", { paths: given }), text);
      }
      assert.deepEqual(bench.asked, []);
    });

    it("never look for a file on the machine that a path names", async () => {
      const looked: string[] = [];
      using _ = replaceDiskReads({
        stat: (file, real) => {
          looked.push(file);
          return real();
        },
      });
      for (const given of ["//host.example/share/a.txt", String.raw`\\host.example\share\a.txt`]) {
        const text = await bench.faultOf("read_file", { path: given });
        assert.match(text, /^There is no file host\.example\/share\/a\.txt in this workspace/);
      }
      assert.ok(looked.length > 0 && looked.every((file) => /^\/[^/]/.test(file)), looked.join());
    });

    it("search no file outside, none with keys and none that a rule excludes", async () => {
      const given = { query: "not sent", includePattern: `${ownFolder}/**`, maxResults: 200 };
      const lines = (await bench.textOf("search_text", given)).split("\n");
      assert.deepEqual(lines, [
        `${ownFolder}/link-inside.txt:1: a word that is not sent`,
        `${ownFolder}/plain.txt:1: a word that is not sent`,
      ]);
    });

    it("find no file outside or that a rule excludes, not even its name", async () => {
      const text = await bench.textOf("find_files", { pattern: `${ownFolder}/**` });
      assert.doesNotMatch(text, /there\.txt|ignored|hidden|kept-out\/a/);
      assert.match(text, /^agent-tools\/plain\.txt$/m);
      assert.doesNotMatch(await bench.textOf("find_files", { pattern: "../**" }), /\n/);
      assert.deepEqual(bench.asked, []);
    });

    it("list no entry that a rule excludes, and follow no link", async () => {
      const lines = (await bench.textOf("list_folder", { path: ownFolder, recursive: true })).split("\n");
      for (const name of ["plain.txt", "folder-away/", "link-to-kept-out/", ".env"])
        assert.ok(lines.includes(name), name);
      assert.deepEqual(
        lines.filter((line) => /ignored|hidden|kept-out\/.|folder-away\/./.test(line)),
        [],
      );
      for (const folder of ["ignored-folder", "link-to-kept-out", "kept-out"]) {
        const text = await bench.textOf("list_folder", { path: `${ownFolder}/${folder}` });
        assert.equal(text, "The folder is empty, or all of it is ignored.", folder);
      }
    });
  });

  describe("with a key in their results", () => {
    const half = storedKey.slice(0, 20);

    it("removes a stored key from a result", async () => {
      await bench.write("keys/a.ts", `const key = "${storedKey}";\n`);
      await bench.write(`keys/${storedKey}.ts`, "");
      await bench.write(`keys/folder/${storedKey}`, "");
      bench.reply = { type: "answer", text: `It is ${storedKey}` };
      const problems = vscode.languages.createDiagnosticCollection("agent-keys");
      problems.set(bench.at("keys/a.ts"), [
        new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), `Bad ${storedKey}`),
      ]);
      const calls: readonly (readonly [string, object])[] = [
        ["read_file", { path: `${ownFolder}/keys/a.ts` }],
        ["read_file", { path: `${ownFolder}/keys/none-${storedKey}.ts` }],
        ["search_text", { query: "const key", includePattern: `${ownFolder}/keys/*` }],
        ["search_text", { query: `(${storedKey}`, isRegexp: true }],
        ["find_files", { pattern: `${ownFolder}/keys/*` }],
        ["list_folder", { path: `${ownFolder}/keys/folder` }],
        ["get_problems", { paths: [`${ownFolder}/keys/a.ts`] }],
        ["ask_user", { question: "What is it?" }],
        [`run_${storedKey}`, {}],
      ];
      try {
        for (const [name, given] of calls) {
          const { text } = await bench.call(name, given);
          assert.ok(text.includes("[API key]") && !text.includes(half), `${name}: ${text}`);
        }
      } finally {
        problems.dispose();
      }
    });

    it("show no part of a key that a limit cuts", async () => {
      await bench.write("keys/line.txt", `${"x".repeat(1980)} ${storedKey}\n`);
      await bench.write("keys/match.txt", `match ${"x".repeat(280)} ${storedKey}\n`);
      const texts = [
        await bench.textOf("read_file", { path: `${ownFolder}/keys/line.txt` }),
        await bench.textOf("search_text", { query: "match x", includePattern: `${ownFolder}/keys/*` }),
      ];
      bench.reply = { type: "answer", text: `${"x".repeat(47_980)} ${storedKey}` };
      texts.push(await bench.textOf("ask_user", { question: "What is it?" }));
      bench.reply = { type: "deny", why: `${"x".repeat(1940)} ${storedKey}` };
      texts.push((await bench.call("ask_user", { question: "What is it?" })).text);
      for (const text of texts) assert.ok(!text.includes(storedKey.slice(0, 8)), text.slice(-200));
    });

    it("never match a part of a key", async () => {
      await bench.write("keys/b.ts", `const other = "${storedKey}";\n`);
      const given = { query: `other = "${half}`, includePattern: `${ownFolder}/keys/*` };
      assert.equal(await bench.textOf("search_text", given), "No line matches.");
    });
  });

  describe("that take too long", () => {
    const read = { path: `${ownFolder}/hangs.txt` };

    before(() => bench.write("hangs.txt", "a line\n"));

    it("end at the timeout, with a failure that says so", async () => {
      bench.startAnswer(500);
      using _ = replaceDiskReads({ readFile: () => new Promise(() => undefined) });
      assert.equal(
        await bench.faultOf("read_file", read),
        "The tool did not answer within 0.5 seconds, so its result is unknown.",
      );
    });

    it("do not end while the user is asked", async () => {
      bench.startAnswer(50);
      bench.reply = async () => {
        await wait(300);
        return { type: "answer", text: "At last" };
      };
      assert.equal(await bench.textOf("ask_user", { question: "Which one?" }), "At last");
    });

    it("ask nothing once the answer is stopped", async () => {
      const stopped = AbortSignal.abort();
      await assert.rejects(bench.call("ask_user", { question: "Which one?" }, stopped), {
        name: "AbortError",
      });
      assert.deepEqual(bench.asked, []);
    });

    it("reject when the user stops the answer", async () => {
      const stopping = new AbortController();
      using _ = replaceDiskReads({
        readFile: () => {
          stopping.abort();
          return new Promise(() => undefined);
        },
      });
      await assert.rejects(bench.call("read_file", read, stopping.signal), { name: "AbortError" });
      await assert.rejects(bench.call("list_folder", {}, AbortSignal.abort()), { name: "AbortError" });
    });

    it("return at most 48,000 characters, and errors of at most 2,000", async () => {
      bench.reply = { type: "answer", text: "x".repeat(60_000) };
      const { text, facts } = await bench.call("ask_user", { question: "Which one?" });
      assert.equal(text, `${"x".repeat(48_000)}\n(The rest of the result is not shown.)`);
      assert.deepEqual(facts, { isCut: true });
      const fault = await bench.faultOf("search_text", { query: `(${"x".repeat(5000)}`, isRegexp: true });
      assert.equal(fault.length, 2000);
    });
  });

  describe("in several workspace folders", () => {
    let folders: Disposable;

    before(async () => {
      await bench.write("several/one/web/src/a.ts", "the first\n");
      await bench.write("several/two/web/src/a.ts", "the second\n");
      await bench.write("several/two/web/inner/a.ts", "the third\n");
      await bench.write("several/beside.ts", "the fourth\n");
      folders = replaceFolders(
        ["one/web", "two/web", "two/web/inner"].map((name) => bench.at(`several/${name}`)),
      );
    });
    after(() => folders[Symbol.dispose]());

    it("name the folders in their instructions", () => {
      assert.match(bench.startAnswer().instructions, /The workspace is: web, web \(2\), inner\./);
    });

    it("read a file of the folder that its path begins with", async () => {
      assert.equal(await bench.textOf("read_file", { path: "web/src/a.ts" }), "1\tthe first");
      assert.equal(await bench.textOf("read_file", { path: "web (2)/src/a.ts" }), "1\tthe second");
      assert.equal(await bench.textOf("read_file", { path: "inner/a.ts" }), "1\tthe third");
      assert.equal(await bench.textOf("read_file", { path: "src/a.ts" }), "1\tthe first");
      assert.deepEqual(bench.asked, []);
    });

    it("ask for a file that is in none of them", async () => {
      assert.equal((await bench.call("read_file", { path: "web/../../../beside.ts" })).outcome, "denied");
      assert.equal(
        (await bench.call("read_file", { path: bench.at("several/beside.ts").fsPath })).outcome,
        "denied",
      );
      assert.deepEqual(
        bench.asked.map((request) => request.type === "approval" && request.path),
        [bench.at("several/beside.ts").fsPath, bench.at("several/beside.ts").fsPath],
      );
    });

    it("list each folder, by its name as well", async () => {
      assert.equal(
        await bench.textOf("list_folder", {}),
        "web/src/\nweb (2)/inner/\nweb (2)/src/\ninner/a.ts",
      );
      for (const name of ["web (2)", "web (2)/"])
        assert.equal(await bench.textOf("list_folder", { path: name }), "inner/\nsrc/");
    });

    it("find and search each file once, by paths that can be read", async () => {
      const all = ["inner/a.ts", "web (2)/src/a.ts", "web/src/a.ts"];
      assert.equal(await bench.textOf("find_files", { pattern: "*.ts" }), all.join("\n"));
      assert.equal(await bench.textOf("find_files", { pattern: "web/src/*.ts" }), "web/src/a.ts");
      assert.equal(
        await bench.textOf("search_text", { query: "the" }),
        "inner/a.ts:1: the third\nweb (2)/src/a.ts:1: the second\nweb/src/a.ts:1: the first",
      );
    });
  });

  describe("in a workspace on another machine", () => {
    const files = new FarFiles({
      "/ws/src/a.ts": "a line\n",
      "/ws/.env": "a key\n",
      "/ws/.gitignore": "*.log\n",
      "/ws/a.log": "ignored\n",
      "/ws/away/there.txt": "behind a link\n",
      "/elsewhere/there.txt": "outside\n",
    });
    let folders: Disposable;
    let provider: vscode.Disposable;

    before(() => {
      provider = vscode.workspace.registerFileSystemProvider(FarFiles.scheme, files, { isReadonly: true });
      folders = replaceFolders([vscode.Uri.from({ scheme: FarFiles.scheme, path: "/ws" })]);
    });
    after(() => {
      folders[Symbol.dispose]();
      provider.dispose();
    });

    it("read and list what is there", async () => {
      assert.equal(await bench.textOf("read_file", { path: "src/a.ts" }), "1\ta line");
      const text = await bench.textOf("list_folder", { recursive: true });
      assert.equal(text, ".env\n.gitignore\naway/\nsrc/\nsrc/a.ts");
      assert.deepEqual(bench.asked, []);
    });

    it("ask by the same rules, and mean files of that machine", async () => {
      bench.reply = { type: "allow", scope: "call" };
      const texts: Readonly<Record<string, string>> = {
        ".env": "a key",
        "a.log": "ignored",
        "away/there.txt": "behind a link",
        "/elsewhere/there.txt": "outside",
        "../elsewhere/there.txt": "outside",
      };
      for (const [given, text] of Object.entries(texts))
        assert.equal(await bench.textOf("read_file", { path: given }), `1\t${text}`);
      assert.deepEqual(
        bench.asked.map((request) => request.type === "approval" && [request.reason, request.path]),
        [
          ["sensitive-file", ".env"],
          ["excluded-file", "a.log"],
          ["outside-workspace", "away/there.txt"],
          ["outside-workspace", "far-files:/elsewhere/there.txt"],
          ["outside-workspace", "far-files:/elsewhere/there.txt"],
        ],
      );
    });

    it("follow the rules of Windows there, because the system of that machine is not known", async () => {
      assert.equal(
        await bench.faultOf("read_file", { path: "SRC~1/a.ts" }),
        "A name in the path could be a short name of Windows. Give the full name.",
      );
      await writeSetting("inference.chat.exclude", { "SRC/**": true });
      try {
        const fault = await bench.faultOf("read_file", { path: "src/a.ts" });
        assert.match(fault, /inference\.chat\.exclude keeps src\/a\.ts out/);
      } finally {
        await writeSetting("inference.chat.exclude", undefined);
      }
    });
  });
});
