import type { PortableConversation } from "./portableConversation.ts";
import { sendingOf } from "../../transcript/sentTurns.ts";
import {
  type AnswerState,
  type AnswerTurn,
  type QuestionTurn,
  type Turn,
  visibleTurns,
  type SettledState,
} from "../../transcript/transcript.ts";
import { type AnswerCall, commandToolName, partsOf, type StepMessage } from "../../transcript/steps.ts";
import { wholeStart } from "../../../text/cutText.ts";
import { toolArgumentsText } from "../../../protocol/conversation/toolCalls.ts";
import * as v from "valibot";
import { isFields, parseJson, readString } from "../../../protocol/conversation/json.ts";
import { clientStyles } from "../../../protocol/conversation/wireStyle.ts";
import { maxTitleLength } from "../log/conversationRecord.ts";
import { timeSchema, promptSchema } from "../../transcript/transcriptSchema.ts";

/** Starts the comment before each turn. Markdown viewers hide comments. */
const markerStart = "<!-- inference-chat:";

/** Exports the displayed branch for human readers, without reasoning, other versions and usage. */
export function convertConversationToMarkdown(conversation: PortableConversation, title: string): string {
  const { createdAt, transcript } = conversation;
  const head = [
    marker("conversation", { version: 1, title: conversation.title, createdAt }),
    `# ${onOneLine(title)}`,
  ];
  const turns = visibleTurns(transcript);
  const sections = turns.map((turn, index) => convertTurn(turn, turns[index + 1]));
  return [head.join("\n"), ...sections].join("\n\n").concat("\n");
}

/**
 * An answer's marker omits why the answer failed. So the marker of each question states whether later requests include
 * the question.
 */
function convertTurn(turn: Turn, next: Turn | undefined): string {
  const { at } = turn;
  if (turn.kind === "question") {
    const sending = sendingOf(turn, next);
    const included = sending === undefined ? undefined : sending === "included";
    const facts = { at, prompt: turn.prompt, included };
    return [marker("question", facts), `## You${sentAlong(turn)}`, "", escapeMarkers(turn.text)].join("\n");
  }
  const { connection, origin, model, clientStyle, state } = turn;
  const facts = { at, connection, origin, model, clientStyle, state: state.kind };
  const heading = `## Assistant${endingOf(state)}`;
  return [marker("answer", facts), heading, "", escapeMarkers(answerText(turn))].join("\n");
}

/** Names the prompt, attachments and instructions of a question. */
function sentAlong({ prompt, attachments = [], instructions = [] }: QuestionTurn): string {
  const names = (all: typeof attachments): string => all.map(({ name }) => name).join(", ");
  const parts = [
    ...(prompt === undefined ? [] : [`prompt: ${prompt.place?.path ?? `/${prompt.name}`}`]),
    ...(attachments.length === 0 ? [] : [`attached: ${names(attachments)}`]),
    ...(instructions.length === 0 ? [] : [`instructions: ${names(instructions)}`]),
  ];
  return parts.length === 0 ? "" : ` (${onOneLine(parts.join("; "))})`;
}

/** The texts of the answer, with a short line for each tool call. */
function answerText(answer: AnswerTurn): string {
  return partsOf(answer)
    .flatMap(({ text, step }) => [
      text,
      (step?.calls ?? []).map(callLine).join("\n"),
      ...(step?.messages ?? []).map(messageText),
    ])
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Quotes the messages that the user sent while the answer arrived. Leaves out notes of the extension for the model. */
function messageText({ by, text, attachments = [] }: StepMessage): string {
  if (by !== "user") return "";
  const names = attachments.map(({ name }) => name).join(", ");
  const lines = [...text.split("\n"), ...(names === "" ? [] : [`(attached: ${onOneLine(names)})`])];
  return lines.map((line) => `> ${line}`).join("\n");
}

/** UTF-16 units of a call's arguments. */
const maxArgumentsLength = 200;

function callLine(call: AnswerCall): string {
  const text = onOneLine(callObject(call)).replaceAll("`", "'");
  return `- Tool ${onOneLine(call.name)} \`${wholeStart(text, maxArgumentsLength)}\`: ${callOutcome(call)}`;
}

/** The file that a call writes or the command that it runs; for other calls, all arguments. */
function callObject({ name, arguments: given }: AnswerCall): string {
  const field = mainArguments.get(name);
  const main =
    field === undefined || given.kind === "invalid" || !isFields(given.value)
      ? undefined
      : readString(given.value, field);
  return main ?? toolArgumentsText(given);
}

/** The argument that says enough in a line. The other arguments of these tools are long. */
const mainArguments: ReadonlyMap<string, string> = new Map([
  ["edit_file", "path"],
  ["create_file", "path"],
  [commandToolName, "command"],
]);

function callOutcome({ state }: AnswerCall): string {
  if (state.kind !== "settled") return "interrupted";
  const { outcome, facts = {} } = state.result;
  const { path, added = 0, removed = 0, exitCode, isInBackground = false } = facts;
  const details = [
    ...(path === undefined ? [] : [`+${added} -${removed}`]),
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...(isInBackground ? ["in the background"] : []),
  ];
  return details.length === 0 ? outcome : `${outcome} (${details.join(", ")})`;
}

function endingOf(state: AnswerState): string {
  switch (state.kind) {
    case "complete":
      return state.reason === "stop" ? "" : ` (ended: ${state.reason})`;
    case "failed":
      return ` (failed: ${onOneLine(state.diagnosis.title)})`;
    case "waiting":
    case "streaming":
    case "retrying":
    case "working":
    case "paused":
    case "interrupted":
      return " (interrupted)";
    case "stopped":
      return " (stopped)";
  }
}

function marker(kind: string, facts: Readonly<Record<string, unknown>>): string {
  // The text must not end the comment or its line. JSON leaves three characters that some readers treat as line breaks.
  const json = JSON.stringify(facts).replaceAll(
    /[>\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${markerStart}${kind} ${json} -->`;
}

/** A heading ends with its line, so replace all line breaks in names. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/gu, " ");
}

/** Adds a backslash to lines that look like a marker. */
function escapeMarkers(text: string): string {
  return text.replace(/^(?=\\*<!-- inference-chat:)/gmu, "\\");
}

const maxTurns = 8000;
const line = v.pipe(v.string(), v.maxLength(4096));

const headSchema = v.object({
  title: v.nullable(v.pipe(v.string(), v.maxLength(maxTitleLength))),
  createdAt: v.nullable(timeSchema),
});
const questionSchema = v.object({
  at: timeSchema,
  prompt: v.exactOptional(promptSchema),
  included: v.exactOptional(v.boolean()),
});
const answerSchema = v.object({
  at: timeSchema,
  connection: line,
  origin: v.exactOptional(line),
  model: line,
  clientStyle: v.picklist(clientStyles),
  state: line,
});

interface Section {
  readonly kind: string;
  readonly facts: unknown;
  readonly text: string;
}

/**
 * Reads the output of `convertConversationToMarkdown`, even if a person edited the texts. Returns undefined for
 * other texts.
 */
export function convertMarkdownToConversation(
  markdown: string,
  newId: () => string,
): PortableConversation | undefined {
  const [head, ...sections] = readSections(withPlainLineEnds(markdown));
  const parsed = v.safeParse(headSchema, head?.kind === "conversation" ? head.facts : undefined);
  if (!parsed.success) return undefined;
  const turns: Turn[] = [];
  for (const section of sections.slice(0, maxTurns)) {
    const turn = convertSection(section, newId(), turns.at(-1));
    if (turn !== undefined) turns.push(turn);
  }
  const leafId = turns.at(-1)?.id ?? null;
  return { ...parsed.output, pinned: false, transcript: { turns, arriving: null, leafId } };
}

/** Converts CRLF to LF if the first line ends with CRLF: a tool has then converted the whole file. */
function withPlainLineEnds(markdown: string): string {
  return /^[^\n]*\r\n/u.test(markdown) ? markdown.replaceAll("\r\n", "\n") : markdown;
}

function readSections(markdown: string): readonly Section[] {
  const sections = markdown
    .split(/(?<![^\n])(?=<!-- inference-chat:)/u)
    .filter((section) => section.startsWith(markerStart));
  return sections.map((section, index) => {
    const end = section.indexOf("\n");
    const found = /^<!-- inference-chat:(\w+) (.*) -->\s*$/su.exec(section.slice(0, end));
    const frame = index === sections.length - 1 ? /\n$/u : /\n{1,2}$/u;
    return {
      kind: found?.[1] ?? "",
      facts: parseJson(found?.[2] ?? ""),
      text: readText(section.slice(end + 1), frame),
    };
  });
}

/** Removes the heading, the empty lines around the text, and the backslashes from `escapeMarkers`. */
function readText(section: string, frame: RegExp): string {
  const text = section.replace(/^#[^\n]*(?:\n|$)/u, "").replace(/^\n/u, "");
  return text.replace(frame, "").replace(/^\\(?=\\*<!-- inference-chat:)/gmu, "");
}

function convertSection(
  { kind, facts, text }: Section,
  id: string,
  last: Turn | undefined,
): Turn | undefined {
  if (kind === "question") {
    const question = v.safeParse(questionSchema, facts);
    if (!question.success) return undefined;
    return { kind: "question", id, parentId: last?.id ?? null, text, ...question.output };
  }
  const answer = v.safeParse(answerSchema, kind === "answer" ? facts : undefined);
  if (!answer.success || last === undefined) return undefined;
  const state = settledState(answer.output.state);
  return { kind: "answer", id, parentId: last.id, text, reasoning: "", ...answer.output, state };
}

/** A marker contains no diagnosis and no reason for the end. So `failed` becomes `stopped`. */
function settledState(kind: string): SettledState {
  switch (kind) {
    case "complete":
      return { kind: "complete", reason: "stop" };
    case "interrupted":
      return { kind: "interrupted" };
    default:
      return { kind: "stopped" };
  }
}
