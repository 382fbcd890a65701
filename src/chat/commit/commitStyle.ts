import { wholeStart } from "../../text/cutText.ts";

/** A file of the repository that says how its commits are written. */
export interface CommitConvention {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** Commits whose first lines are shown. */
const mostSubjects = 10;
const longestSubject = 200;
/** Characters taken from a file of conventions. */
const longestConvention = 2000;

/** What the last commits show of the style; merges and what tools make of reverts say nothing of it. */
export interface CommitHistory {
  /** First lines, the newest first. */
  readonly subjects: readonly string[];
  /** Whether most of them go on below the first line. */
  readonly hasBodies: boolean;
}

/** Reads whole messages, the newest first. */
export function readCommitHistory(messages: readonly string[]): CommitHistory {
  const written = messages.filter((message) => !/^(?:Merge|Revert|fixup!|squash!) ?/.test(message));
  const last = written.slice(0, mostSubjects);
  const subjects = last.map((message) => wholeStart(message.split("\n", 1)[0] ?? "", longestSubject));
  const bodies = last.filter((message) => bodyOf(message) !== "").length;
  return {
    subjects: subjects.filter((subject) => subject.trim() !== ""),
    hasBodies: bodies * 2 > last.length,
  };
}

/** What follows the first line, without lines such as `Signed-off-by:`, which tools add. */
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

/** What a file says of commits; undefined where it says nothing. */
export function readConvention(path: string, text: string): CommitConvention | undefined {
  const about = guideFiles.includes(path) ? commitSections(text) : text;
  const said = wholeStart(about.trim(), longestConvention);
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
