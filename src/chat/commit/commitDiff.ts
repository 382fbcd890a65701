import type { FileChange, FileDiff, WithoutLines } from "../../files/fileDiff.ts";
import type { GitChange } from "./gitChange.ts";
import { trimText } from "../../text/cutText.ts";

/** Why the lines of a changed file are not shown to the model. */
export type NotShown = WithoutLines | "lock-file" | "generated" | "no-room";

/** A file that the model hears of by its name, what happened to it, and its counts alone. */
export interface NamedFile {
  readonly path: string;
  /** The path before a rename, or that of the file that was copied. */
  readonly from?: string;
  readonly change: FileChange;
  readonly reason: NotShown;
  /** Undefined if there are no lines, or if they were not read. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

/** What of a diff goes to the model. */
export interface CommitDiff {
  readonly text: string;
  readonly named: readonly NamedFile[];
  /** Paths of files of which the beginning is shown. */
  readonly cut: readonly string[];
}

/** A shorter piece of a diff says nothing beyond the name of its file. */
const leastShare = 200;

/**
 * The rule for large diffs. Lock files, generated and binary files are named, with their counts of lines.
 * The characters are shared among all others: who needs less than an equal share leaves the rest to the
 * others, who are cut at the end of a line. Where a share would be below 200 characters files are named.
 * @param unread files beyond those that could be shown
 */
export function fitCommitDiff(
  files: readonly FileDiff[],
  characters: number,
  unread: readonly GitChange[] = [],
): CommitDiff {
  const reasons = new Map(files.map((file) => [file, reasonOf(file)]));
  const shares = shareOut(
    files.filter((file) => reasons.get(file) === undefined),
    characters,
  );
  const texts: string[] = [];
  const named: NamedFile[] = [];
  const cut: string[] = [];
  for (const file of files) {
    const share = shares.get(file);
    if (share === undefined) named.push(nameFile(file, reasons.get(file) ?? "no-room"));
    else texts.push(trimText(file.text, share, "start"));
    if (share !== undefined && share < file.text.length) cut.push(pathOf(file));
  }
  return { text: texts.join(""), named: [...named, ...unread.map(nameUnread)], cut };
}

/** The smallest first, so that what they leave is known when the larger ones take their share. */
function shareOut(files: readonly FileDiff[], characters: number): ReadonlyMap<FileDiff, number> {
  const shares = new Map<FileDiff, number>();
  let left = characters;
  const bySize = files.toSorted((one, other) => one.text.length - other.text.length);
  // Whoever gets too little for a piece leaves all of it to the others: the number of shares is bounded.
  let waiting = Math.min(bySize.length, Math.max(1, Math.floor(characters / leastShare)));
  for (const file of bySize) {
    if (waiting === 0) break;
    const share = Math.min(file.text.length, Math.floor(left / waiting));
    shares.set(file, share);
    left -= share;
    waiting -= 1;
  }
  return shares;
}

function reasonOf(file: FileDiff): NotShown | undefined {
  const path = pathOf(file);
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (file.withoutLines !== undefined) return file.withoutLines;
  if (file.added + file.removed === 0) return undefined;
  if (lockFiles.some((pattern) => pattern.test(name))) return "lock-file";
  const isGenerated =
    generatedNames.some((pattern) => pattern.test(name)) || generatedMarks.test(file.text.slice(0, 2000));
  return isGenerated ? "generated" : undefined;
}

const lockFiles: readonly RegExp[] = [
  /^(?:package-lock|npm-shrinkwrap|packages\.lock|composer\.lock|deno\.lock|project\.assets)(?:\.json)?$/,
  /^(?:yarn|cargo|poetry|gemfile|pipfile|uv|pdm|flake|mix|bun|pubspec|podfile|gradle)\.lock(?:file)?$/,
  /^(?:pnpm-lock\.yaml|bun\.lockb|go\.sum|package\.resolved|conan\.lock|\.terraform\.lock\.hcl)$/,
];

const generatedNames: readonly RegExp[] = [
  /\.min\.(?:js|css|mjs)$/,
  /\.(?:js|css)\.map$/,
  /\.(?:pb|g|freezed|designer|generated)\.(?:go|cc|h|cs|dart|ts|js|py)$/,
  /_pb2(?:_grpc)?\.py$/,
  /\.snap$/,
];

/** As tools write it into the first lines of what they make. */
const generatedMarks = /^[+ ].{0,20}(?:@generated\b|Code generated .{0,80}DO NOT EDIT)/m;

function nameFile(file: FileDiff, reason: NotShown): NamedFile {
  const { paths, change, withoutLines, added, removed } = file;
  return {
    path: pathOf(file),
    ...fromOf(paths),
    change,
    reason,
    ...(withoutLines === undefined ? { lines: { added, removed } } : {}),
  };
}

function nameUnread({ path, from, kind }: GitChange): NamedFile {
  const change = kind === "unmerged" ? "modified" : kind;
  return { path, ...(from === undefined ? {} : { from }), change, reason: "no-room" };
}

function fromOf(paths: readonly string[]): Pick<NamedFile, "from"> {
  const [from] = paths;
  return paths.length < 2 || from === undefined ? {} : { from };
}

/** The path that the file has now, or had last. */
function pathOf({ paths }: FileDiff): string {
  return paths.at(-1) ?? "";
}
