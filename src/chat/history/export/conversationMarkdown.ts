import type { PortableConversation } from "./portableConversation.ts";
import { sendingOf } from "../../transcript/sentTurns.ts";
import { type AnswerState, type QuestionTurn, type Turn, visibleTurns } from "../../transcript/transcript.ts";

/** Begins the comments that tell where a turn begins; a reader of Markdown does not show them. */
export const markerStart = "<!-- inference-chat:";

/** The branch on the screen, to be read by people; without reasoning, other versions and usage. */
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

/** Why an answer failed is not in the Markdown, so the question says itself whether later ones send it. */
function convertTurn(turn: Turn, next: Turn | undefined): string {
  const { at } = turn;
  if (turn.kind === "question") {
    const sending = sendingOf(turn, next);
    const included = sending === undefined ? undefined : sending === "included";
    const facts = { at, prompt: turn.prompt, included };
    return [marker("question", facts), `## You${sentAlong(turn)}`, "", escapeMarkers(turn.text)].join("\n");
  }
  const { connection, model, clientStyle, state, text } = turn;
  const facts = { at, connection, model, clientStyle, state: state.kind };
  const heading = `## Assistant${endingOf(state)}`;
  return [marker("answer", facts), heading, "", escapeMarkers(text)].join("\n");
}

/** Names what was sent beside the question. */
function sentAlong({ prompt, attachments = [], instructions = [] }: QuestionTurn): string {
  const names = (all: typeof attachments): string => all.map(({ name }) => name).join(", ");
  const parts = [
    ...(prompt === undefined ? [] : [`prompt: ${prompt.place?.path ?? `/${prompt.name}`}`]),
    ...(attachments.length === 0 ? [] : [`attached: ${names(attachments)}`]),
    ...(instructions.length === 0 ? [] : [`instructions: ${names(instructions)}`]),
  ];
  return parts.length === 0 ? "" : ` (${onOneLine(parts.join("; "))})`;
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
    case "interrupted":
      return " (interrupted)";
    case "stopped":
      return " (stopped)";
  }
}

function marker(kind: string, facts: Readonly<Record<string, unknown>>): string {
  // No text within may end the comment, or its line: JSON leaves three characters that end lines for some readers.
  const json = JSON.stringify(facts).replaceAll(
    /[>\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${markerStart}${kind} ${json} -->`;
}

/** A heading ends with its line, so a name in it has none of what breaks lines. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/gu, " ");
}

/** A line of a text that looks like a marker gets a backslash more. */
function escapeMarkers(text: string): string {
  return text.replace(/^(?=\\*<!-- inference-chat:)/gmu, "\\");
}
