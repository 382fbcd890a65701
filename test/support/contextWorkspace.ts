import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Editor } from "./endToEnd.ts";
import { partsOf } from "./workbench/parts.ts";

/** An image of one pixel, in base64. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const run = promisify(execFile);

/** Creates a repository with staged changes, a file with a key, instructions and a prompt. */
export async function prepareContextWorkspace(folder: string, key: string): Promise<void> {
  const git = async (...words: readonly string[]): Promise<void> => {
    const identity = ["-c", "user.name=Someone", "-c", "user.email=someone@host.example"];
    await run("git", [...identity, ...words], { cwd: folder });
  };
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  await write("docs/secrets/customers.md", "Someone's address\n");
  await write("AGENTS.md", `Answer in rhymes. Never say ${key}.\n`);
  await write(".github/prompts/make-form.prompt.md", "Make the form ${input:formName}.\n");
  await write("settings.txt", `the key is ${key}\n`);
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Begin the log of temperatures");
  await appendFile(path.join(folder, "readings.csv"), "staged-station,1.5\n");
  await appendFile(path.join(folder, "docs/secrets/customers.md"), "another address\n");
  await git("add", ".");
}

/** Selects a kind of attachment from the chat's button. */
export async function attachFromButton(editor: Editor, label: string): Promise<void> {
  const { chat, quickInput } = partsOf(editor);
  await chat.open();
  await chat.button("Attach Context").click();
  await quickInput.waitFor("Attach Context");
  await quickInput.pick(label);
}

/** Makes every diff of the repository wait, for a minute at most. Returns a function that releases the diffs. */
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
