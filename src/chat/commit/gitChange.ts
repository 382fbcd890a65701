import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import path from "node:path";
import { type FileContent, type FileDiff, type FileSide, makeFileDiff } from "../../files/fileDiff.ts";

/** A larger file is told by its name. */
const maxBytes = 2 * 1024 * 1024;

/** The part of the git extension's repository that gives what git keeps. Paths are absolute. */
export interface GitObjects {
  /** Rejects with `gitErrorCode: "UnknownPath"` if there is no such file. @param ref a commit; empty for the index */
  getObjectDetails(
    ref: string,
    file: string,
  ): Promise<{ readonly mode: string; readonly object: string; readonly size: number }>;
  /** The contents, converted by `diff.*.textconv` if the user has set one. */
  buffer(ref: string, file: string): Promise<Uint8Array>;
}

/** A changed file, by its path in the repository. */
export interface GitChange {
  readonly path: string;
  /** The path before a rename, or that of the file that was copied. */
  readonly from?: string;
  readonly kind: "added" | "deleted" | "modified" | "renamed" | "copied" | "unmerged";
}

/** All names that a change speaks of; the old one comes first. */
export function namesOf({ path: name, from }: GitChange): readonly string[] {
  return from === undefined || from === name ? [name] : [from, name];
}

/** The git extension's own numbers. Those of before it had a new state count as modified. */
const kinds: ReadonlyMap<number, GitChange["kind"]> = new Map([
  [1, "added"],
  [2, "deleted"],
  [3, "renamed"],
  [4, "copied"],
  [6, "deleted"],
  [7, "added"],
  // Known to the index by name only.
  [9, "added"],
  [10, "renamed"],
  ...[12, 13, 14, 15, 16, 17, 18].map((status) => [status, "unmerged"] as const),
]);

export function kindOfStatus(status: number): GitChange["kind"] {
  return kinds.get(status) ?? "modified";
}

/** What two states of a repository are compared. */
export interface ComparedStates {
  /** A commit; empty for the index. */
  readonly before: string;
  /** A commit; empty for the index; undefined for the files on the disk. */
  readonly after: string | undefined;
}

export const stagedStates: ComparedStates = { before: "HEAD", after: "" };
export const unstagedStates: ComparedStates = { before: "", after: undefined };

interface ReadOptions {
  readonly git: GitObjects;
  /** The repository's folder on this machine. */
  readonly root: string;
  readonly states: ComparedStates;
  /** The text of a file's bytes; undefined if they are no text. */
  readonly decode: (bytes: Uint8Array, file: string) => Promise<string | undefined>;
}

/**
 * Makes the diff of one file from what git keeps and what is on the disk, so that no setting for diffs has a say.
 * Never rejects: what cannot be read is told by its name.
 */
export async function readFileDiff(change: GitChange, options: ReadOptions): Promise<FileDiff> {
  const { path: name, from = name, kind } = change;
  const { before: ref, after } = options.states;
  // What the index holds of such a file are the versions that are to be merged.
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

/** What is known of a file before its contents are read. */
interface FoundSide {
  readonly mode: string | undefined;
  /** Its name in git's store; undefined for what is on the disk, or not known. */
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
  // The git extension takes a backslash for a slash, and would read another file.
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
    // Of a submodule the index holds a commit of another repository, whose size git does not know.
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
      // Else a program of the user's has converted it, maybe from a secret that is kept encrypted.
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

/** Whether these are the bytes that git keeps under this name. */
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

/** Undefined for what is not there, or is reached by a link, which is not there for git either. */
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

/** Reads a file, but nothing that a link which has taken its place leads to. */
async function readOwn(file: string): Promise<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    // Windows has no such flag.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await handle.readFile();
  } finally {
    await handle?.close();
  }
}
