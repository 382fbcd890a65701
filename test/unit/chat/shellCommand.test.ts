import assert from "node:assert/strict";
import { showInvisible } from "../../../src/chat/invisibleCharacters.ts";
import { readShellCommand } from "../../../src/chat/shellCommand.ts";
import { tellFigure } from "../../support/figures.ts";

const read = (text: string, language = "bash") => readShellCommand({ text, language });

describe("readShellCommand", () => {
  it("gives the command as it stands, and what was typed in a recorded session", () => {
    assert.deepEqual(read("ls -l\ncat a\n"), { kind: "command", text: "ls -l\ncat a", lines: 2 });
    assert.deepEqual(read("$ ls\n$ pwd\n"), { kind: "command", text: "ls\npwd", lines: 2 });
    assert.deepEqual(read("$ ls\na b\n", "console"), { kind: "command", text: "ls", lines: 1 });
    assert.deepEqual(read("> a\nb"), { kind: "command", text: "> a\nb", lines: 2 });
  });

  it("refuses what cannot be seen as a whole, and key presses in disguise", () => {
    assert.deepEqual(read("  \n"), { kind: "refused", why: "empty" });
    assert.deepEqual(read("a\u001b[2Jb"), { kind: "refused", why: "control-characters" });
    assert.deepEqual(read("a\rb"), { kind: "refused", why: "control-characters" });
    assert.deepEqual(read("a\n".repeat(30)), { kind: "refused", why: "too-long" });
    assert.deepEqual(read("a".repeat(2000)), { kind: "refused", why: "too-long" });
  });

  it("lets no character through that a terminal takes for a key, and none that hides or turns what is shown", () => {
    // Line breaks are seen, and a tab, which would complete a word, is typed as spaces.
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
