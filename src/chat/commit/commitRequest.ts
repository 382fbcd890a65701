import type { Message } from "../../protocol/conversation/conversation.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { convertAttachments } from "../session/buildMessages.ts";
import { type FileChange, quotePath, type FileDiff, type WithoutLines } from "../../files/fileDiff.ts";
import { commitMessageText } from "../prompts/promptTemplates.ts";
import type { GitChange } from "./gitChange.ts";
import { trimText, wholeStart } from "../../text/cutText.ts";

/** Everything a commit message is written from. */
export interface CommitFacts {
  readonly source: "staged" | "unstaged";
  readonly diff: CommitDiff;
  /** Paths of new files that git does not know yet. */
  readonly untracked: readonly string[];
  /** Files that are kept out: neither their names nor their texts are told. */
  readonly withheld: number;
  readonly history: CommitHistory;
  readonly conventions: readonly CommitConvention[];
}

/** Names of one list that are told; a larger list says how many more there are. */
const maxNames = 100;

/** The request's messages: what to write, in which style, and the changes as attached material. */
export function commitMessages(facts: CommitFacts): readonly Message[] {
  const { text } = convertAttachments(attachmentsOf(facts), false);
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

/** Rules for the style of the message. The repository's own instructions come before the usual rules. */
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

/** Why the lines of a changed file are not shown to the model. */
export type NotShown = WithoutLines | "lock-file" | "generated" | "no-room";

/** A file that the model hears of by its name, what happened to it, and its counts alone. */
interface NamedFile {
  readonly path: string;
  /** The path before a rename, or that of the file that was copied. */
  readonly from?: string;
  readonly change: FileChange;
  readonly reason: NotShown;
  /** Undefined if there are no lines, or if they were not read. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

/** The part of a diff that is sent to the model. */
interface CommitDiff {
  readonly text: string;
  readonly named: readonly NamedFile[];
  /** Paths of files of which the beginning is shown. */
  readonly cut: readonly string[];
}

/** A shorter piece of a diff says nothing beyond the name of its file. */
const minShare = 200;

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

/** A file of the repository that says how its commits are written. */
export interface CommitConvention {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** Commits whose first lines are shown. */
const maxSubjects = 10;
const maxSubjectLength = 200;
/** Characters taken from a file of conventions. */
const maxConventionLength = 2000;

/** The style of the last commits, except merges and generated reverts. */
interface CommitHistory {
  /** First lines, the newest first. */
  readonly subjects: readonly string[];
  /** Whether most of them go on below the first line. */
  readonly hasBodies: boolean;
}

/** Reads whole messages, the newest first. */
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

/** The body of a commit message, without trailers such as `Signed-off-by:`. */
function bodyOf(message: string): string {
  const [, ...rest] = message.split("\n");
  return rest
    .filter((line) => !/^[\w-]+-by: /i.test(line))
    .join("")
    .trim();
}

/** Files, relative to the repository, whose whole text is about commits. */
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

/** Files of which only the sections about commits are taken. */
export const guideFiles: readonly string[] = ["AGENTS.md", "CONTRIBUTING.md"];

/** The part of a file about commits; undefined if there is none. */
export function readConvention(path: string, text: string): CommitConvention | undefined {
  const about = guideFiles.includes(path) ? commitSections(text) : text;
  const said = wholeStart(about.trim(), maxConventionLength);
  return said === "" ? undefined : { path, text: said };
}

/** The sections of a Markdown text whose heading names commits, down to the next heading of their level. */
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
