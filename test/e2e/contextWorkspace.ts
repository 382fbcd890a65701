import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Editor } from "../support/endToEnd.ts";
import { partsOf } from "./parts.ts";

/** A picture of one pixel. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const run = promisify(execFile);

/** A repository with something of everything that can be attached, and with what must not be. */
export async function prepareContextWorkspace(folder: string, key: string): Promise<void> {
  const git = async (...words: readonly string[]): Promise<void> => {
    const identity = ["-c", "user.name=Someone", "-c", "user.email=someone@host.example"];
    await run("git", [...identity, ...words], { cwd: folder });
  };
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  await write(".gitignore", ".env\n*.log\n");
  await write("docs/.gitignore", "!kept.log\n*.draft\n");
  await write("docs/kept.log", "not ignored after all\n");
  await write("docs/idea.draft", "ignored\n");
  await write("docs/guide/first.md", "# First\n");
  await write("docs/guide/second.md", "# Second\n");
  await write("docs/secrets/customers.md", "Someone's address\n");
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Begin the log of temperatures");
  await appendFile(path.join(folder, "README.md"), "A line of the second commit.\n");
  await appendFile(path.join(folder, "docs/secrets/customers.md"), "one more address\n");
  await git("commit", "--quiet", "--all", "--message", "Say more of the log");
  await appendFile(path.join(folder, "readings.csv"), "staged-station,1.5\n");
  await appendFile(path.join(folder, "docs/secrets/customers.md"), "another address\n");
  await git("add", ".");
  await appendFile(path.join(folder, "convert.py"), "# an unstaged line\n");
  await write(".env", "PASSWORD=hunter2\n");
  await write("debug.log", "ignored\n");
  await write("broken.json", '{ "open": \n');
  await write("settings.txt", `the key is ${key}\n`);
  await write("large.txt", "A line of a large text, again and again.\n".repeat(2000));
  await writeFile(path.join(folder, "program.bin"), Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1));
}

/** Chooses what to attach from the chat's button. */
export async function attachFromButton(editor: Editor, label: string): Promise<void> {
  const { chat, quickInput } = partsOf(editor);
  await chat.open();
  await chat.button("Attach Context").click();
  await quickInput.waitFor("Attach Context");
  await quickInput.pick(label);
}

/** Has every diff of the repository wait, a minute at most; the result lets them go on. */
export async function holdDiffs(folder: string): Promise<() => Promise<void>> {
  const [held, attributes, script] = ["held", "info/attributes", "held.sh"].map((name) =>
    path.join(folder, ".git", ...name.split("/")),
  );
  assert.ok(held !== undefined && attributes !== undefined && script !== undefined);
  await writeFile(held, "");
  await writeFile(
    script,
    `for each in $(seq 600); do test -e '${held}' || break; sleep 0.1; done; cat "$1"\n`,
  );
  await run("git", ["config", "diff.held.textconv", `sh '${script}'`], { cwd: folder });
  await writeFile(attributes, "* diff=held\n");
  return async () => {
    await rm(attributes, { force: true });
    await rm(held, { force: true });
  };
}
