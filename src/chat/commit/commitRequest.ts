import type { Message } from "../../protocol/conversation/conversation.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { convertAttachments } from "../session/buildMessages.ts";
import { type FileChange, quotePath, type FileDiff, type WithoutLines } from "../../files/fileDiff.ts";
import { commitMessageText } from "../prompts/promptTemplates.ts";
import type { GitChange } from "./gitChange.ts";
import { trimText, wholeStart } from "../../text/cutText.ts";

/** The input for a commit message. */
export interface CommitFacts {
  readonly source: "staged" | "unstaged";
  readonly diff: CommitDiff;
  /** Paths of new files that git does not track yet. */
  readonly untracked: readonly string[];
  /** Number of excluded files. The request contains no names or contents of these files. */
  readonly withheld: number;
  readonly history: CommitHistory;
  readonly conventions: readonly CommitConvention[];
}

/** Maximum number of names in one list. A longer list ends with the number of further names. */
const maxNames = 100;

/** Builds the request: the task, the style, and the changes as attached material. */
export function commitMessages(facts: CommitFacts): readonly Message[] {
  const { text } = convertAttachments(attachmentsOf(facts));
  const question = commitMessageText(styleWords(facts));
  return [{ role: "user", content: [{ type: "text", text: `${text}\n\n${question}` }] }];
}

function attachmentsOf(facts: CommitFacts): readonly Attachment[] {
  const { history, conventions, diff } = facts;
  return [
    ...conventions.map(({ path, text }) => attachment("file", path, "the repository's rules", text)),
    ...(history.subjects.length === 0
      ? []
      : [attachment("text", "Last commits", "first lines, the newest first", history.subjects.join("\n"))]),
    attachment("diff", "Changes", `${facts.source} changes`, changesText(facts), "diff"),
    ...(diff.named.length + facts.untracked.length + facts.withheld === 0
      ? []
      : [attachment("text", "Further changed files", "their lines are not shown", namesText(facts))]),
  ];
}

function attachment(
  kind: Attachment["kind"],
  name: string,
  detail: string,
  text: string,
  language = "",
): Attachment {
  const content = { type: "text", text, language } as const;
  return { id: name, kind, name, detail, characters: text.length, content };
}

function changesText({ diff }: CommitFacts): string {
  return diff.text === "" ? "(no lines to show)" : diff.text;
}

function namesText({ diff, untracked, withheld }: CommitFacts): string {
  return [
    ...someOf(diff.named.map(nameLine)),
    ...someOf(untracked.map((path) => `${quotePath(path)}: new file`)),
    ...(withheld === 0 ? [] : [`${withheld} more, kept out`]),
  ].join("\n");
}

function someOf(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxNames) return lines;
  return [...lines.slice(0, maxNames), `and ${lines.length - maxNames} more`];
}

function nameLine({ path, from, change, reason, lines }: NamedFile): string {
  const counts = lines === undefined ? [] : [`+${lines.added} -${lines.removed} lines`];
  const told = changeWords(change, from === undefined ? "" : quotePath(from));
  return `${quotePath(path)}: ${[reasonWords[reason], ...counts, told].join(", ")}`;
}

function changeWords(change: FileChange, from: string): string {
  switch (change) {
    case "renamed":
      return `renamed from ${from}`;
    case "copied":
      return `copied from ${from}`;
    case "added":
    case "deleted":
    case "modified":
      return change;
  }
}

const reasonWords: Readonly<Record<NotShown, string>> = {
  "lock-file": "lock file",
  generated: "generated file",
  binary: "binary file",
  "too-large": "too large to show it",
  unread: "contents not shown",
  "no-room": "no room to show it",
};

/** Rules for the style. The repository's own instructions take precedence. */
function styleWords({ history, conventions, diff }: CommitFacts): string {
  const { subjects, hasBodies } = history;
  return [
    ...(subjects.length === 0
      ? []
      : [
          "Follow the style of the last commits: their language, prefixes, capitals, tense and length.",
          hasBodies
            ? "Most of them have a body below the first line."
            : "Most of them consist of the first line alone.",
        ]),
    ...(conventions.length === 0
      ? []
      : ["The repository's own rules for commit messages are attached and come before all others."]),
    ...(diff.cut.length === 0 ? [] : ["Where lines are left out, do not guess at them."]),
  ].join(" ");
}

/** Why the request omits the lines of a changed file. */
export type NotShown = WithoutLines | "lock-file" | "generated" | "no-room";

/** A file that the request only describes: its path, the kind of change, and its line counts. */
interface NamedFile {
  readonly path: string;
  /** The path before a rename, or the path of the copied file. */
  readonly from?: string;
  readonly change: FileChange;
  readonly reason: NotShown;
  /** Undefined if the file has no lines, or if its lines were not read. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

interface CommitDiff {
  readonly text: string;
  readonly named: readonly NamedFile[];
  /** Paths of truncated files. */
  readonly cut: readonly string[];
}

/** Minimum characters per file. A shorter piece of a diff says no more than the file's path. */
const minShare = 200;

/**
 * Fits a large diff into `characters`. Lock files and generated files are only named, with line counts. Files whose
 * diff has no lines, such as binary files, are only named. All other files share the characters equally, and smaller
 * files leave the rest of their shares to larger ones. Larger files are truncated at the end of a line. If a share
 * would be below 200 characters, the largest files are only named.
 * @param unread changed files that were not read
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

/** Starts with the smallest files. Larger files can then use the characters that remain. */
function shareOut(files: readonly FileDiff[], characters: number): ReadonlyMap<FileDiff, number> {
  const shares = new Map<FileDiff, number>();
  let left = characters;
  const bySize = files.toSorted((one, other) => one.text.length - other.text.length);
  // A share below the minimum is useless, so limit the number of shares.
  let waiting = Math.min(bySize.length, Math.max(1, Math.floor(characters / minShare)));
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

/** Marks that tools write into the first lines of generated files. */
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

/** The current path, or the last path of a deleted file. */
function pathOf({ paths }: FileDiff): string {
  return paths.at(-1) ?? "";
}

/** A file of the repository with rules for commit messages. */
export interface CommitConvention {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** Maximum number of commits in the history. */
const maxSubjects = 10;
const maxSubjectLength = 200;
/** Maximum characters of a file with conventions. */
const maxConventionLength = 2000;

/** The style of the last commits, except messages that start with `Merge`, `Revert`, `fixup!`, or `squash!`. */
interface CommitHistory {
  /** First lines, newest first. */
  readonly subjects: readonly string[];
  /** Whether most messages have a body. */
  readonly hasBodies: boolean;
}

/** Reads complete messages, newest first. */
export function readCommitHistory(messages: readonly string[]): CommitHistory {
  const written = messages.filter((message) => !/^(?:Merge|Revert|fixup!|squash!) ?/.test(message));
  const last = written.slice(0, maxSubjects);
  const subjects = last.map((message) => wholeStart(message.split("\n", 1)[0] ?? "", maxSubjectLength));
  const bodies = last.filter((message) => bodyOf(message) !== "").length;
  return {
    subjects: subjects.filter((subject) => subject.trim() !== ""),
    hasBodies: bodies * 2 > last.length,
  };
}

/** Returns the body of a commit message, without trailers such as `Signed-off-by:`. */
function bodyOf(message: string): string {
  const [, ...rest] = message.split("\n");
  return rest
    .filter((line) => !/^[\w-]+-by: /i.test(line))
    .join("")
    .trim();
}

/** Paths, relative to the repository, of files that contain only rules for commits. */
export const conventionFiles: readonly string[] = [
  ".gitmessage",
  ".gitmessage.txt",
  ".commitlintrc",
  ".commitlintrc.json",
  ".commitlintrc.yaml",
  ".commitlintrc.yml",
  "commitlint.config.js",
  "commitlint.config.cjs",
  "commitlint.config.mjs",
  "commitlint.config.ts",
];

/** Files that may contain sections about commits. The other sections are ignored. */
export const guideFiles: readonly string[] = ["AGENTS.md", "CONTRIBUTING.md"];

/** Returns the part of a file that is about commits, or undefined if there is none. */
export function readConvention(path: string, text: string): CommitConvention | undefined {
  const about = guideFiles.includes(path) ? commitSections(text) : text;
  const said = wholeStart(about.trim(), maxConventionLength);
  return said === "" ? undefined : { path, text: said };
}

/**
 * Returns those sections of a Markdown text whose headings mention commits. A section ends at the next heading of
 * the same or a higher level.
 */
function commitSections(text: string): string {
  let level: number | undefined;
  let isCode = false;
  const kept = text.split("\n").filter((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const marks = isCode ? undefined : /^(#{1,6})\s/.exec(line)?.[1];
    if (marks !== undefined && (level === undefined || marks.length <= level)) {
      level = /\bcommit/i.test(line) ? marks.length : undefined;
    }
    return level !== undefined;
  });
  return kept.join("\n");
}
