import assert from "node:assert/strict";
import { readShellCommand } from "../../../src/chat/shellCommand.ts";

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
});
