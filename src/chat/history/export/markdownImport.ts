import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";
import { clientStyles } from "../../../protocol/conversation/wireStyle.ts";
import { markerStart } from "./conversationMarkdown.ts";
import { longestTitle } from "../log/conversationRecord.ts";
import type { PortableConversation } from "./portableConversation.ts";
import { timeSchema, promptSchema } from "../../transcript/transcriptSchema.ts";
import type { SettledState, Turn } from "../../transcript/transcript.ts";

const mostTurns = 8000;
const line = v.pipe(v.string(), v.maxLength(4096));

const headSchema = v.object({
  title: v.nullable(v.pipe(v.string(), v.maxLength(longestTitle))),
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
  model: line,
  clientStyle: v.picklist(clientStyles),
  state: line,
});

interface Section {
  readonly kind: string;
  readonly facts: unknown;
  readonly text: string;
}

/** Reads what `convertConversationToMarkdown` wrote, also after a person has changed its texts. */
export function convertMarkdownToConversation(
  markdown: string,
  newId: () => string,
): PortableConversation | undefined {
  const [head, ...sections] = readSections(withPlainLineEnds(markdown));
  const parsed = v.safeParse(headSchema, head?.kind === "conversation" ? head.facts : undefined);
  if (!parsed.success) return undefined;
  const turns: Turn[] = [];
  for (const section of sections.slice(0, mostTurns)) {
    const turn = convertSection(section, newId(), turns.at(-1));
    if (turn !== undefined) turns.push(turn);
  }
  const leafId = turns.at(-1)?.id ?? null;
  return { ...parsed.output, pinned: false, transcript: { turns, arriving: null, leafId } };
}

/** A tool may have given every line another end; only then are they not the texts' own. */
function withPlainLineEnds(markdown: string): string {
  return /^[^\n]*\r\n/u.test(markdown) ? markdown.replaceAll("\r\n", "\n") : markdown;
}

function readSections(markdown: string): readonly Section[] {
  const sections = markdown
    .split(/(?<![^\n])(?=<!-- inference-chat:)/u)
    .filter((section) => section.startsWith(markerStart));
  return sections.map((section, index) => {
    const end = section.indexOf("\n");
    const marker = /^<!-- inference-chat:(\w+) (.*) -->\s*$/su.exec(section.slice(0, end));
    const frame = index === sections.length - 1 ? /\n$/u : /\n{1,2}$/u;
    return {
      kind: marker?.[1] ?? "",
      facts: parseJson(marker?.[2] ?? ""),
      text: readText(section.slice(end + 1), frame),
    };
  });
}

/** Without the heading and the blank lines that frame the text. */
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

/** What is said of a failure is not in the Markdown, nor why exactly an answer was complete. */
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
