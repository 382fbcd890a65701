import assert from "node:assert/strict";
import { showInvisible } from "../../../../src/text/invisibleCharacters.ts";
import { readShellCommand } from "../../../../src/chat/code/shellCommand.ts";
import { tellFigure } from "../../../support/figures.ts";

const read = (text: string, language = "bash") => readShellCommand({ text, language });

const typed = (text: string, language = "bash"): string => {
  const command = read(text, language);
  return command.kind === "command" ? command.text : command.why;
};

describe("readShellCommand", () => {
  it("returns a plain command unchanged, and only the typed lines of a recorded session", () => {
    assert.deepEqual(read("ls -l\ncat a\n"), { kind: "command", text: "ls -l\ncat a", lines: 2 });
    assert.deepEqual(read("$ ls\n$ pwd\n"), { kind: "command", text: "ls\npwd", lines: 2 });
    assert.deepEqual(read("$ ls\na b\n", "console"), { kind: "command", text: "ls", lines: 1 });
    assert.deepEqual(read("> a\nb"), { kind: "command", text: "> a\nb", lines: 2 });
  });

  it("doesn't mistake a redirection for a prompt", () => {
    for (const text of ["> build.log", "> a\n> b", ">> notes.txt", "> out.txt echo a", ">>> print(1)"])
      for (const language of ["bash", "sh", "zsh", "fish", "powershell"])
        assert.deepEqual(read(text, language), { kind: "command", text, lines: text.split("\n").length });
    assert.deepEqual(read("$ > a.log"), { kind: "command", text: "> a.log", lines: 1 });
    assert.deepEqual(read("> npm test", "console"), { kind: "command", text: "npm test", lines: 1 });
  });

  it("removes shell prompts", () => {
    const prompts = [
      "$ ",
      "% ",
      "❯ ",
      "➜ ",
      "➜  app git:(main) ✗ ",
      "➜  ~ ",
      "λ ",
      "me@host:~$ ",
      "me@host:~/my app$ ",
      "root@4f2a:/# ",
      "[me@host src]$ ",
      "me@mac ~ % ",
      "mac:~ me$ ",
      "(venv) $ ",
      "(base) me@host:~$ ",
      "~/app $ ",
      "bash-5.2$ ",
      "sh-4.4# ",
      "PS C:\\Users\\me> ",
      "PS> ",
      "PS /home/me> ",
      "C:\\> ",
      "C:\\Users\\me>",
      "  $ ",
    ];
    for (const prompt of prompts) {
      const expected = { kind: "command", text: "make all\nmake test", lines: 2 };
      assert.deepEqual(read(`${prompt}make all\n${prompt}make test`), expected, prompt);
    }
  });

  it("keeps commands that only look like prompts", () => {
    const commands = [
      "echo $ a",
      "# a comment",
      "$HOME/run.sh",
      "%1",
      "git commit -m 'a > b'",
      "ssh me@host ls",
      "scp me@host:/a /b",
      "cat a > b",
      "PSQL=1 run",
      "C:\\tool.exe > log",
      "mail me@host.example < letter",
      "echo a% b",
    ];
    for (const text of commands) assert.deepEqual(read(text), { kind: "command", text, lines: 1 });
  });

  it("includes continuation lines of a recorded command but not its output", () => {
    assert.equal(typed("$ npm test\n\n> app@1.0.0 test\n> mocha\n"), "npm test");
    assert.equal(typed("$ cat <<END\n> a\n> END\nb"), "cat <<END\na\nEND");
    assert.equal(typed("$ docker run \\\n    -p 80:80 a\n80/tcp"), "docker run \\\n    -p 80:80 a");
    assert.equal(typed("$ echo 'a\n> b'\na"), "echo 'a\nb'");
    assert.equal(typed("# first\n$ make\nok\n$ make test"), "make\nmake test");
    assert.equal(typed("$ a |\n> b\n1"), "a |\nb");
  });

  it("refuses tabs within a command, because spaces can't replace them", () => {
    for (const text of [
      "cat <<-END\n\ta\nEND",
      "printf 'a:\n\tb' > Makefile",
      "ls\tsrc",
      "if a; then\n\tb\nfi",
    ])
      assert.deepEqual(read(text), { kind: "refused", why: "tabs" });
    assert.deepEqual(read("\tls\t\n"), { kind: "command", text: "ls", lines: 1 });
  });

  it("refuses empty or overlong commands and control characters", () => {
    assert.deepEqual(read("  \n"), { kind: "refused", why: "empty" });
    assert.deepEqual(read("a\u001b[2Jb"), { kind: "refused", why: "control-characters" });
    assert.deepEqual(read("a\rb"), { kind: "refused", why: "control-characters" });
    assert.deepEqual(read("a\n".repeat(30)), { kind: "refused", why: "too-long" });
    assert.deepEqual(read("a".repeat(2000)), { kind: "refused", why: "too-long" });
  });

  it("refuses control characters, but not separators and bidirectional controls that showInvisible shows", () => {
    // Line breaks are allowed. Tabs are refused for another reason: a shell would complete words.
    const all = Array.from({ length: 0x10_000 }, (_, code) => String.fromCodePoint(code));
    const controls = all.filter((character) => /[^\n\t\P{Cc}]/u.test(character));
    for (const control of controls) {
      const told = JSON.stringify(control);
      assert.deepEqual(read(`a${control}b`), { kind: "refused", why: "control-characters" }, told);
    }
    const hiding = all.filter((character) => /[\u2028\u2029\p{Bidi_Control}]/u.test(character));
    for (const character of hiding) {
      const command = read(`a${character}b`);
      assert.ok(command.kind === "command");
      assert.match(showInvisible(command.text), /^a\[U\+[0-9A-F]{4}\]b$/, JSON.stringify(character));
    }
    assert.deepEqual([controls.length, hiding.length], [63, 14]);
    tellFigure(
      `commands for the terminal: all ${controls.length} control characters refused, all ${hiding.length} hidden line breaks and marks of direction shown`,
    );
  });
});
