import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { findCommandFault, readShell, toCommandLine } from "../../../../src/chat/agent/commandLine.ts";
import { itWhere } from "../../../support/itWhere.ts";

const isWindows = process.platform === "win32";

/** Every printable character, line feed, tab, and characters of two to four bytes. */
const odd = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => index + 32))}\n\té日😀\u200b\\n\\x41\\`;

describe("a command as one line", () => {
  it("holds only printable ASCII, and is what bash reports of it", () => {
    assert.equal(toCommandLine("echo 'a' \"$x\"", "bash"), "eval 'echo '\\''a'\\'' \"$x\"'");
    assert.equal(
      toCommandLine("echo '!'\n\té\\", "bash"),
      String.raw`eval "$(s=$?; builtin printf %b 'echo \x27\x21\x27\n\t\xc3\xa9\\'; exit $s)"`,
    );
    assert.equal(
      toCommandLine("echo '!'\n\té\\", "zsh"),
      String.raw` eval $'echo \x27\x21\x27\n\t\xc3\xa9\\'`,
    );
    assert.equal(toCommandLine("echo '!'\n\té\\", "fish"), String.raw` eval echo\ \'\!\'\n\t\Xc3\Xa9\\`);
    for (const shell of ["bash", "zsh", "fish"] as const)
      assert.match(toCommandLine(odd, shell), /^[\x20-\x7e]+$/u);
  });

  for (const shell of ["bash", "zsh", "fish"] as const) {
    const isThere = spawnSync(shell, ["-c", "exit 0"]).status === 0;
    const isNeeded = shell === "bash" && !isWindows;
    itWhere(isNeeded || (isThere && !isWindows), `since ${shell} is not there`)(
      `means the same to ${shell}`,
      () => {
        const quoted =
          shell === "fish"
            ? odd.replaceAll("\\", "\\\\").replaceAll("'", "\\'")
            : odd.replaceAll("'", "'\\''");
        const { stdout } = spawnSync(shell, ["-c", toCommandLine(`printf %s '${quoted}'`, shell)]);
        assert.equal(stdout.toString(), odd);
      },
    );
  }

  itWhere(!isWindows, "since bash is not there")("keeps the exit code of the command before", () => {
    for (const command of ["echo $?", "echo $? # !"]) {
      const { stdout } = spawnSync("bash", ["-c", `(exit 3)\n${toCommandLine(command, "bash")}`]);
      assert.equal(stdout.toString(), "3\n", command);
    }
  });
});

describe("a shell", () => {
  it("is known by its name or path", () => {
    assert.deepEqual(["bash", "/usr/bin/zsh", "C:\\Git\\bin\\bash.exe", "/opt/FISH"].map(readShell), [
      "bash",
      "zsh",
      "bash",
      "fish",
    ]);
    assert.deepEqual(["/bin/sh", "pwsh", "", "rbash"].map(readShell), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a command", () => {
  it("is refused when it is empty, too long, not Unicode, or holds a control character", () => {
    assert.equal(findCommandFault("a\n\tb \u200b é"), undefined);
    assert.equal(findCommandFault("x".repeat(8000)), undefined);
    for (const faulty of [
      "",
      " \n\t",
      "x".repeat(8001),
      "a\ud800b",
      "a\0",
      "a\x03",
      "a\rb",
      "a\x1b[A",
      "a\x9bA",
      "\x7f",
    ])
      assert.ok(findCommandFault(faulty)?.includes("Nothing was run"), JSON.stringify(faulty.slice(0, 10)));
  });
});
