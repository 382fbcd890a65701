import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import path from "node:path";
import { type FileContent, type FileDiff, type FileSide, makeFileDiff } from "../../files/fileDiff.ts";

/** Larger files are only named. */
const maxBytes = 2 * 1024 * 1024;

/** The methods of the git extension's repository that read git objects. Paths are absolute. */
export interface GitObjects {
  /**
   * Rejects with `gitErrorCode: "UnknownPath"` if the file does not exist. @param ref a commit, or empty for the index
   */
  getObjectDetails(
    ref: string,
    file: string,
  ): Promise<{ readonly mode: string; readonly object: string; readonly size: number }>;
  /** Returns the contents. Git applies `diff.*.textconv` if the user configured it. */
  buffer(ref: string, file: string): Promise<Uint8Array>;
}

/** A changed file. Paths are relative to the repository. */
export interface GitChange {
  readonly path: string;
  /** The path before a rename, or the path of the copied file. */
  readonly from?: string;
  readonly kind: "added" | "deleted" | "modified" | "renamed" | "copied" | "unmerged";
}

/** Returns all paths of a change, the old path first. */
export function namesOf({ path: name, from }: GitChange): readonly string[] {
  return from === undefined || from === name ? [name] : [from, name];
}

/** The status numbers of the git extension. All other numbers count as modified. */
const kinds: ReadonlyMap<number, GitChange["kind"]> = new Map([
  [1, "added"],
  [2, "deleted"],
  [3, "renamed"],
  [4, "copied"],
  [6, "deleted"],
  [7, "added"],
  // A file added with `git add --intent-to-add`.
  [9, "added"],
  [10, "renamed"],
  ...[12, 13, 14, 15, 16, 17, 18].map((status) => [status, "unmerged"] as const),
]);

export function kindOfStatus(status: number): GitChange["kind"] {
  return kinds.get(status) ?? "modified";
}

/** The two states of a repository to compare. */
export interface ComparedStates {
  /** A commit, or empty for the index. */
  readonly before: string;
  /** A commit, empty for the index, or undefined for the files on disk. */
  readonly after: string | undefined;
}

export const stagedStates: ComparedStates = { before: "HEAD", after: "" };
export const unstagedStates: ComparedStates = { before: "", after: undefined };

interface ReadOptions {
  readonly git: GitObjects;
  /** The repository's folder on disk. */
  readonly root: string;
  readonly states: ComparedStates;
  /** Decodes the bytes of a file. Returns undefined for a binary file. */
  readonly decode: (bytes: Uint8Array, file: string) => Promise<string | undefined>;
}

/**
 * Builds the diff of one file from git objects and the disk. The user's diff settings have no effect.
 * Never rejects: an unreadable file is only named.
 */
export async function readFileDiff(change: GitChange, options: ReadOptions): Promise<FileDiff> {
  const { path: name, from = name, kind } = change;
  const { before: ref, after } = options.states;
  // For an unmerged file, the index contains the versions to merge.
  if (kind === "unmerged" && after !== undefined) return unmergedDiff(name);
  const old =
    kind === "added" ? undefined : await readSide(from, kind === "unmerged" ? "HEAD" : ref, options);
  const now = kind === "deleted" ? undefined : await readSide(name, after, options);
  const isSame = old?.object !== undefined && old.object === now?.object && old.kind === now.kind;
  return makeFileDiff({
    path: name,
    from,
    isCopy: kind === "copied",
    isUnmerged: kind === "unmerged",
    isOnDisk: after === undefined,
    before: old && (await sideOf(old, isSame)),
    after: now && (await sideOf(now, isSame)),
  });
}

function unmergedDiff(name: string): FileDiff {
  const side: FileSide = { mode: undefined, content: { kind: "unchanged" } };
  return makeFileDiff({ path: name, isUnmerged: true, before: side, after: side });
}

/** A file before its contents are read. */
interface FoundSide {
  readonly mode: string | undefined;
  /** Object ID in git; undefined for a file on disk or an unknown ID. */
  readonly object?: string;
  readonly kind: "file" | "link" | "submodule" | "unread" | "too-large";
  readonly read: () => Promise<FileContent>;
}

async function sideOf(found: FoundSide, isSame: boolean): Promise<FileSide> {
  const { mode, object, kind } = found;
  if (kind === "submodule") return { mode, content: { kind, commit: object } };
  if (isSame) return { mode, content: { kind: "unchanged" } };
  if (kind === "unread" || kind === "too-large") return { mode, content: { kind } };
  return { mode, content: await found.read().catch(() => unread) };
}

const unread: FileContent = { kind: "unread" };
const nothingRead = async (): Promise<FileContent> => unread;

async function readSide(
  name: string,
  ref: string | undefined,
  options: ReadOptions,
): Promise<FoundSide | undefined> {
  // The git extension treats a backslash as a slash and would read another file.
  if (name.includes("\\")) return { mode: undefined, kind: "unread", read: nothingRead };
  return ref === undefined ? findOnDisk(name, options) : findInGit(name, ref, options);
}

async function findInGit(
  name: string,
  ref: string,
  { git, root, decode }: ReadOptions,
): Promise<FoundSide | undefined> {
  const file = path.join(root, name);
  let details: Awaited<ReturnType<GitObjects["getObjectDetails"]>>;
  try {
    details = await git.getObjectDetails(ref, file);
  } catch (error) {
    if (isUnknownPath(error)) return undefined;
    // For a submodule, the index contains a commit of another repository. Git cannot tell the size of that commit.
    const isFolder = (await lstat(file).catch(() => undefined))?.isDirectory() === true;
    return {
      mode: isFolder ? submoduleMode : undefined,
      kind: isFolder ? "submodule" : "unread",
      read: nothingRead,
    };
  }
  const { mode, object, size } = details;
  const kind = mode === submoduleMode ? "submodule" : mode === linkMode ? "link" : "file";
  return {
    mode,
    object,
    kind: kind === "file" && size > maxBytes ? "too-large" : kind,
    read: async () => {
      const bytes = await git.buffer(ref, file);
      // A mismatch means that a program of the user converted the contents. The result may be a decrypted secret.
      return isObject(bytes, object) ? contentOf(bytes, name, decode) : unread;
    },
  };
}

const linkMode = "120000";
const submoduleMode = "160000";

function isUnknownPath(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "gitErrorCode" in error &&
    error.gitErrorCode === "UnknownPath"
  );
}

/** Whether these bytes are the git object with this ID. */
function isObject(bytes: Uint8Array, object: string): boolean {
  const hash = createHash(object.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === object;
}

async function contentOf(
  bytes: Uint8Array,
  name: string,
  decode: ReadOptions["decode"],
): Promise<FileContent> {
  const text = await decode(bytes, name);
  return text === undefined ? { kind: "binary" } : { kind: "text", text };
}

/** Returns undefined for a file that does not exist or lies behind a symbolic link. Git ignores such a file too. */
async function findOnDisk(name: string, { root, decode }: ReadOptions): Promise<FoundSide | undefined> {
  const file = path.join(root, name);
  const stat = (await isBehindLink(root, name)) ? undefined : await lstat(file).catch(() => undefined);
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return { mode: submoduleMode, kind: "submodule", read: nothingRead };
  if (stat.isSymbolicLink()) {
    const read = async (): Promise<FileContent> => ({ kind: "text", text: await readlink(file) });
    return { mode: linkMode, kind: "link", read };
  }
  const mode = process.platform === "win32" ? undefined : stat.mode & 0o100 ? "100755" : "100644";
  const kind = !stat.isFile() ? "unread" : stat.size > maxBytes ? "too-large" : "file";
  return { mode, kind, read: async () => contentOf(await readOwn(file), name, decode) };
}

async function isBehindLink(root: string, name: string): Promise<boolean> {
  const folders = name.split("/").slice(0, -1);
  const stats = await Promise.all(
    folders.map((_, index) => lstat(path.join(root, ...folders.slice(0, index + 1))).catch(() => undefined)),
  );
  return stats.some((stat) => stat?.isSymbolicLink() === true);
}

/** Reads a file. Fails if a symbolic link has replaced the file since it was found. */
async function readOwn(file: string): Promise<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    // Windows has no O_NOFOLLOW.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await handle.readFile();
  } finally {
    await handle?.close();
  }
}
