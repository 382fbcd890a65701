import { isFields, readString } from "../../protocol/conversation/json.ts";
import { wholeStart } from "../../text/cutText.ts";
import { type AnswerCall, changedFiles, commandToolName } from "./steps.ts";
import { type AnswerTurn, type QuestionTurn, sentText, type Turn } from "./transcript.ts";

/** Name of the built-in prompt that asks for a summary of the chat. */
export const compactPrompt = "compact";

/** Files and commands that a compacted chat still names; the newest ones. */
const maxFiles = 100;
const maxCommands = 10;

/** Whether the question asks for a summary that later requests send instead of the conversation before it. */
export function isCompaction({ prompt }: QuestionTurn): boolean {
  return prompt?.name === compactPrompt && prompt.place === undefined;
}

/**
 * Replaces the conversation up to the last complete summary by one question: the first task word for word, the files
 * and commands of the answers, and the summary. Without a summary, returns the branch as it is.
 */
export function compactTurns(branch: readonly Turn[]): readonly Turn[] {
  const at = branch.findLastIndex((turn, index) => isSummary(turn, branch[index - 1]));
  const [question, summary] = [branch[at - 1], branch[at]];
  if (question?.kind !== "question" || summary?.kind !== "answer") return branch;
  const { id, parentId, at: time } = question;
  const text = compactedText(branch.slice(0, at - 1), summary.text);
  return [{ kind: "question", id, parentId, at: time, text }, ...branch.slice(at + 1)];
}

/** Whether later requests send this answer instead of the conversation before it. */
export function isSummary(turn: Turn | undefined, question: Turn | undefined): boolean {
  return (
    question?.kind === "question" &&
    isCompaction(question) &&
    turn?.kind === "answer" &&
    turn.state.kind === "complete" &&
    turn.text.trim() !== ""
  );
}

function compactedText(before: readonly Turn[], summary: string): string {
  const first = before.find((turn) => turn.kind === "question");
  const calls = before
    .filter((turn): turn is AnswerTurn => turn.kind === "answer")
    .flatMap((answer) => answer.steps ?? [])
    .flatMap((step) => step.calls);
  return [
    "The earlier part of this conversation was left out to save space. This is what is known of it.",
    ...(first === undefined ? [] : [`The user's first message, word for word:\n${sentText(first)}`]),
    ...listed("Files that were changed", changedNames(before)),
    ...listed("Files that were read", readNames(calls)),
    ...listed("The last commands", calls.flatMap(commandOf).slice(-maxCommands)),
    `Summary of the conversation:\n${summary.trim()}`,
  ].join("\n\n");
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`];
}

function changedNames(turns: readonly Turn[]): readonly string[] {
  const names = turns.flatMap((turn) => {
    if (turn.kind === "question") return [];
    const note = turn.changes === "undone" ? " (undone by the user)" : "";
    return changedFiles(turn.steps ?? []).map(({ path, isNew }) => `${path}${isNew ? " (new)" : ""}${note}`);
  });
  return [...new Set(names)].slice(-maxFiles);
}

function readNames(calls: readonly AnswerCall[]): readonly string[] {
  const names = calls.filter(({ name }) => name === "read_file").map((call) => argumentOf(call, "path"));
  return [...new Set(names)].filter((name) => name !== "").slice(-maxFiles);
}

function commandOf(call: AnswerCall): readonly string[] {
  const command = argumentOf(call, "command");
  if (call.name !== commandToolName || command === "" || call.state.kind !== "settled") return [];
  const { outcome, facts } = call.state.result;
  const end = facts?.exitCode === undefined ? outcome : `exit code ${facts.exitCode}`;
  return [`${command} (${end})`];
}

function argumentOf({ arguments: given }: AnswerCall, name: string): string {
  return given.kind === "object" && isFields(given.value) ? (readString(given.value, name) ?? "") : "";
}

/** Cuts long results of tools, for a request for a summary. */
export function withShortResults(turns: readonly Turn[], maxLength: number): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind === "question" || turn.steps === undefined) return turn;
    const steps = turn.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => shorten(call, maxLength)),
    }));
    return { ...turn, steps };
  });
}

function shorten(call: AnswerCall, maxLength: number): AnswerCall {
  const { state } = call;
  if (state.kind !== "settled") return call;
  const { images, text, ...result } = state.result;
  if (text.length <= maxLength && images === undefined) return call;
  const start = text.length <= maxLength ? text : `${wholeStart(text, maxLength)} (cut)`;
  const short = images === undefined ? start : `${start} (images left out)`;
  return { ...call, state: { ...state, result: { ...result, text: short } } };
}
