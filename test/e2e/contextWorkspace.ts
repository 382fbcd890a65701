import { execFile } from "node:child_process";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

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
