import { structuredPatch } from "diff";

/** The known contents of a file before or after a change. */
export type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary" }
  /** A submodule; `commit` is undefined if not known. */
  | { readonly kind: "submodule"; readonly commit: string | undefined }
  /** Equal before and after, therefore not read. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "too-large" }
  | { readonly kind: "unread" };

export interface FileSide {
  /** File mode in git, such as `100644`; undefined if not known. */
  readonly mode: string | undefined;
  readonly content: FileContent;
}

export interface ChangedFile {
  /** Path in the repository, with `/`; for a deleted file, its old path. */
  readonly path: string;
  /** The path before a rename, or the path of the copied file. */
  readonly from?: string;
  readonly isCopy?: boolean;
  /** Whether both sides of a merge changed the file and the conflict is not resolved. */
  readonly isUnmerged?: boolean;
  /** `after` is from disk, not from git: line endings and the executable bit may depend on the machine. */
  readonly isOnDisk?: boolean;
  /** Undefined for a new file. */
  readonly before: FileSide | undefined;
  /** Undefined for a deleted file. */
  readonly after: FileSide | undefined;
}

export type FileChange = "added" | "deleted" | "modified" | "renamed" | "copied";

/** Why a diff has no lines although lines may have changed. */
export type WithoutLines = "binary" | "too-large" | "unread";

/** The changes in one file. */
export interface FileDiff {
  /** Paths in the repository; for a rename or copy, the old path first. */
  readonly paths: readonly string[];
  readonly change: FileChange;
  readonly withoutLines?: WithoutLines;
  /** Number of lines. */
  readonly added: number;
  readonly removed: number;
  /** The diff in git's format, without `index` lines. Non-ASCII names are not escaped. Ends with a line break. */
  readonly text: string;
}

/**
 * Maximum number of removed plus added lines. Above this, the diff is one hunk from the first to the last difference.
 */
const maxEdits = 2000;
/** Maximum milliseconds to compare two texts. After that, the diff is one hunk, as above `maxEdits`. */
const timeoutMs = 100;
const contextLines = 3;

export function makeFileDiff(file: ChangedFile): FileDiff {
  const { path, from } = file;
  const change = changeOf(file);
  const lines = linesOf(file);
  const text = [
    `diff --git ${quotePath(`a/${from ?? path}`)} ${quotePath(`b/${path}`)}`,
    ...headOf(file, change),
    ...lines.text,
  ];
  return {
    paths: from === undefined || from === path ? [path] : [from, path],
    change,
    ...(lines.withoutLines === undefined ? {} : { withoutLines: lines.withoutLines }),
    added: lines.added,
    removed: lines.removed,
    text: `${text.join("\n")}\n`,
  };
}

/** Quotes and escapes a path with control characters, quotes, backslashes or line separators. */
export function quotePath(path: string): string {
  if (!/[\p{Cc}\u2028\u2029"\\]/u.test(path)) return path;
  return JSON.stringify(path).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function changeOf({ path, from, isCopy = false, before, after }: ChangedFile): FileChange {
  if (before === undefined) return "added";
  if (after === undefined) return "deleted";
  if (from === undefined || from === path) return "modified";
  return isCopy ? "copied" : "renamed";
}

/** Returns the header lines about the file as a whole. */
function headOf(file: ChangedFile, change: FileChange): readonly string[] {
  const { path, from = path, isUnmerged = false, before, after } = file;
  const word = change === "copied" ? "copy" : "rename";
  return [
    ...(isUnmerged ? ["unmerged: both sides of a merge changed this file"] : []),
    ...(change === "added" ? [withMode("new file", after?.mode)] : []),
    ...(change === "deleted" ? [withMode("deleted file", before?.mode)] : []),
    ...modeLines(file),
    ...(before?.content.kind === "unchanged" && from !== path ? ["similarity index 100%"] : []),
    ...(change === "renamed" || change === "copied"
      ? [`${word} from ${quotePath(from)}`, `${word} to ${quotePath(path)}`]
      : []),
  ];
}

function withMode(words: string, mode: string | undefined): string {
  return mode === undefined ? words : `${words} mode ${mode}`;
}

function modeLines(file: ChangedFile): readonly string[] {
  const [before, after] = [file.before?.mode, file.after?.mode];
  if (before === undefined || after === undefined || before === after) return [];
  // Many file systems report every file as executable. Report the bit only if the text is unchanged.
  const isBit = [before, after].every((mode) => mode.startsWith("100"));
  if (file.isOnDisk === true && isBit && !isSameText(file)) return [];
  return [`old mode ${before}`, `new mode ${after}`];
}

function isSameText({ before, after }: ChangedFile): boolean {
  return (
    before?.content.kind === "text" &&
    after?.content.kind === "text" &&
    before.content.text === after.content.text
  );
}

interface Lines {
  readonly text: readonly string[];
  readonly added: number;
  readonly removed: number;
  readonly withoutLines?: WithoutLines;
}

const noLines: Lines = { text: [], added: 0, removed: 0 };

function linesOf(file: ChangedFile): Lines {
  const { path, from = path, before, after } = file;
  const contents = [before?.content, after?.content];
  const has = (kind: FileContent["kind"]): boolean => contents.some((content) => content?.kind === kind);
  const oldName = before === undefined ? "/dev/null" : quotePath(`a/${from}`);
  const newName = after === undefined ? "/dev/null" : quotePath(`b/${path}`);
  if (has("unchanged")) return noLines;
  if (has("unread")) return without("unread", "(its contents are not shown)");
  if (has("too-large")) return without("too-large", "(too large to be shown)");
  if (has("binary")) return without("binary", `Binary files ${oldName} and ${newName} differ`);
  const [old, now] = [textOf(before), textOf(after)];
  const shown = file.isOnDisk === true ? withLineEndsOf(old, now) : now;
  if (old === shown) {
    if (has("submodule")) return { ...noLines, text: ["(the submodule has changed)"] };
    return old === now ? noLines : { ...noLines, text: ["(only line endings differ)"] };
  }
  const { text, added, removed } = compareTexts(old, shown);
  return { text: [`--- ${oldName}`, `+++ ${newName}`, ...text], added, removed };
}

/** Returns the hunks of a unified diff between two texts, without file names. No lines if the texts are equal. */
export function compareTexts(before: string, after: string): Lines {
  const hunks = before === after ? [] : hunksOf(before, after);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    text: hunks.flatMap((hunk) => [rangesOf(hunk), ...hunk.lines]),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

function without(withoutLines: WithoutLines, line: string): Lines {
  return { ...noLines, text: [line], withoutLines };
}

function textOf(side: FileSide | undefined): string {
  switch (side?.content.kind) {
    case "text":
      return side.content.text;
    case "submodule":
      return `Subproject commit ${side.content.commit ?? "(not known)"}\n`;
    default:
      return "";
  }
}

/** Git may store `\n` for a file with `\r\n` on disk. Without conversion, every line would seem changed. */
function withLineEndsOf(before: string, after: string): string {
  return before === "" || before.includes("\r\n") ? after : after.replaceAll("\r\n", "\n");
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

function hunksOf(before: string, after: string): readonly Hunk[] {
  const options = { context: contextLines, maxEditLength: maxEdits, timeout: timeoutMs };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks ?? [middleHunk(before, after)];
}

/** Returns one hunk of all lines between the common start and the common end. */
function middleHunk(before: string, after: string): Hunk {
  const [old, now] = [markedLines(before), markedLines(after)];
  const shorterLength = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorterLength && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorterLength - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const from = Math.max(0, start - contextLines);
  const tail = old.slice(old.length - end, old.length - end + contextLines);
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const common = start - from + tail.length;
  const lines = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ];
  return {
    oldStart: from + 1,
    oldLines: common + removed.length,
    newStart: from + 1,
    newLines: common + added.length,
    lines: lines.flatMap((line) => line.split("\n")),
  };
}

/** Splits a text into lines. Marks a last line without line break as git does. */
function markedLines(text: string): readonly string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function rangesOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`;
}

/** An empty range gives the line before it. */
function rangeOf(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}
