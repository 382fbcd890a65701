import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A git repository that a test makes and looks into. */
export class TestRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Gives what git prints. */
  async git(...words: readonly string[]): Promise<string> {
    const identity = ["-c", "user.name=Someone", "-c", "user.email=someone@host.example"];
    const { stdout } = await run("git", [...identity, ...words], { cwd: this.folder });
    return stdout;
  }

  async write(name: string, text: string | Uint8Array): Promise<void> {
    await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
    await writeFile(path.join(this.folder, name), text);
  }

  /** A history whose style cannot be taken for the usual one, and rules in words. */
  async begin(): Promise<void> {
    await this.git("init", "--quiet", "--initial-branch=main");
    await this.write(
      "AGENTS.md",
      "# Guide\n\nUse tabs.\n\n## Commit messages\n\nName the station first.\n\n## Tests\n\nRun them all.\n",
    );
    await this.write("package-lock.json", '{ "lockfileVersion": 3 }\n');
    await this.write("large-one.txt", "a line of one\n");
    await this.write("large-two.txt", "a line of two\n");
    await this.write("picture.bin", Uint8Array.of(1, 0, 2));
    await this.write(".env", "PASSWORD=old\n");
    await this.git("add", "--all", "--force");
    const subjects = ["readings: tidy the columns", "summary: count the nights", "readings: note the frost"];
    for (const subject of subjects)
      await this.git("commit", "--quiet", "--allow-empty", "--message", subject);
  }

  /** All changes gone, staged or not, new files included. */
  async clean(): Promise<void> {
    await this.git("reset", "--quiet", "--hard");
    await this.git("clean", "--quiet", "--force", "-d");
  }

  async commits(): Promise<string> {
    return this.git("log", "--oneline");
  }
}
