import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { decodeBytes } from "../../src/text/decodeBytes.ts";
import type { FileDiff } from "../../src/files/fileDiff.ts";
import {
  type ComparedStates,
  type GitChange,
  type GitObjects,
  kindOfStatus,
  readFileDiff,
  stagedStates,
  unstagedStates,
} from "../../src/chat/commit/gitChange.ts";

const run = promisify(execFile);

/** Ignores the git settings of the user. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Someone",
  GIT_AUTHOR_EMAIL: "someone@host.example",
  GIT_COMMITTER_NAME: "Someone",
  GIT_COMMITTER_EMAIL: "someone@host.example",
};

/** A real git repository, with the data that VS Code's git extension gives, but without an editor. */
export class GitRepositoryOnDisk implements AsyncDisposable, GitObjects {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param parent folder for the new repository */
  static async create(parent = tmpdir()): Promise<GitRepositoryOnDisk> {
    const folder = await realpath(await mkdtemp(path.join(parent, "inference-git-")));
    const repository = new GitRepositoryOnDisk(folder);
    await repository.git("init", "--quiet", "--initial-branch=main");
    return repository;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs git and returns its output. */
  async git(...words: readonly string[]): Promise<string> {
    const options = { cwd: this.folder, env: environment, maxBuffer: 64 * 1024 * 1024 };
    return (await run("git", ["-c", "protocol.file.allow=always", ...words], options)).stdout;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
    await writeFile(path.join(this.folder, name), content);
  }

  async commit(message = "a commit"): Promise<string> {
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message", message);
    return (await this.git("rev-parse", "HEAD")).trim();
  }

  /** Works like the git extension's method. */
  async getObjectDetails(
    ref: string,
    file: string,
  ): Promise<{ readonly mode: string; readonly object: string; readonly size: number }> {
    const name = path.relative(this.folder, file).replaceAll("\\", "/");
    if (ref === "") {
      const [first] = (await this.git("ls-files", "--stage", "--", name)).split("\n");
      const [, mode = "", object = ""] = /^(\S+)\s+(\S+)/.exec(first ?? "") ?? [];
      if (object === "") throw Object.assign(new Error("Path not known"), { gitErrorCode: "UnknownPath" });
      return { mode, object, size: Number(await this.git("cat-file", "-s", object)) };
    }
    const [first] = (await this.git("ls-tree", "-l", ref, "--", name)).split("\n");
    const [, mode = "", object = "", size] = /^(\S+)\s+\S+\s+(\S+)\s+(\S+)/.exec(first ?? "") ?? [];
    if (object === "") throw Object.assign(new Error("Path not known"), { gitErrorCode: "UnknownPath" });
    return { mode, object, size: Number(size) || 0 };
  }

  /** Works like the git extension's method. */
  async buffer(ref: string, file: string): Promise<Uint8Array> {
    const name = path.relative(this.folder, file).replaceAll("\\", "/");
    const child = spawn("git", ["show", "--textconv", `${ref}:${name}`], {
      cwd: this.folder,
      env: environment,
    });
    const ended = Promise.withResolvers<number | null>();
    child.on("close", ended.resolve);
    const bytes = await buffer(child.stdout);
    if ((await ended.promise) !== 0) throw new Error("Could not show object.");
    return bytes;
  }

  /** Returns the lists in the git extension's state, made from `git status` like the extension makes them. */
  async changes(): Promise<{
    readonly staged: readonly GitChange[];
    readonly unstaged: readonly GitChange[];
    readonly untracked: readonly string[];
  }> {
    const entries = (await this.git("status", "-z", "-uall")).split("\0");
    const staged: GitChange[] = [];
    const unstaged: GitChange[] = [];
    const untracked: string[] = [];
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] ?? "";
      const [x = " ", y = " "] = entry;
      const name = entry.slice(3);
      if (name === "" || name.endsWith("/")) continue;
      const from = "RC".includes(x) || y === "R" ? entries[(at += 1)] : undefined;
      if (x === "?") untracked.push(name);
      else if (["DD", "AU", "UD", "UA", "DU", "AA", "UU"].includes(x + y))
        unstaged.push({ path: name, kind: kindOfStatus(18) });
      else {
        const index = ["M", "A", "D", "R", "C"].indexOf(x);
        const disk = [5, 6, 9, 10, 11]["MDART".indexOf(y)];
        if (index >= 0) staged.push(changeOf(name, from, index));
        if (y !== " " && disk !== undefined) unstaged.push(changeOf(name, from, disk));
      }
    }
    return { staged, unstaged, untracked };
  }

  async stagedDiffs(): Promise<readonly FileDiff[]> {
    return this.diffs((await this.changes()).staged, stagedStates);
  }

  async unstagedDiffs(): Promise<readonly FileDiff[]> {
    return this.diffs((await this.changes()).unstaged, unstagedStates);
  }

  diffs(changes: readonly GitChange[], states: ComparedStates): Promise<readonly FileDiff[]> {
    const options = { git: this, root: this.folder, states, decode };
    return Promise.all(changes.map((change) => readFileDiff(change, options)));
  }
}

function changeOf(name: string, from: string | undefined, status: number): GitChange {
  const kind = kindOfStatus(status);
  return from !== undefined && (kind === "renamed" || kind === "copied")
    ? { path: name, from, kind }
    : { path: name, kind };
}

async function decode(bytes: Uint8Array): Promise<string | undefined> {
  const decoded = decodeBytes(bytes);
  return decoded.kind === "text" ? decoded.text : undefined;
}
