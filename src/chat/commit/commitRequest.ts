import type { Message } from "../../protocol/conversation/conversation.ts";
import type { Attachment } from "../transcript/attachments.ts";
import type { CommitDiff, NamedFile, NotShown } from "./commitDiff.ts";
import type { CommitConvention, CommitHistory } from "./commitStyle.ts";
import { convertAttachments } from "../session/buildMessages.ts";
import { type FileChange, quotePath } from "../../files/fileDiff.ts";
import { commitMessageText } from "../prompts/promptTemplates.ts";

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
const mostNames = 100;

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
  if (lines.length <= mostNames) return lines;
  return [...lines.slice(0, mostNames), `and ${lines.length - mostNames} more`];
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

/** What the material means for the style; the repository's own word comes before the usual rules. */
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
