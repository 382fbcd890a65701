import { reasoningListFields, reasoningTextFields } from "../conversation/chatReasoning.ts";
import { isFields } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";

/**
 * What reasoning is called in a body: members of a chat-completions message and of its calls, and blocks of the
 * messages style.
 */
export const reasoningFields = [
  ...reasoningTextFields,
  ...reasoningListFields,
  "extra_content",
  "thinking",
] as const;
export type ReasoningFieldName = (typeof reasoningFields)[number];

/** Stands for reasoning that is not known any more. Some services take no empty text for it. */
const placeholder = " ";

/** The kinds of reasoning that the messages of a body hold. */
export function reasoningIn(body: Fields): readonly ReasoningFieldName[] {
  const turns = turnsOf(body);
  return reasoningFields.filter((name) =>
    turns.some((turn) => {
      if (name === "thinking") return blocksOf(turn).some(isThinking);
      return [turn, ...callsOf(turn)].some((each) => each[name] !== undefined);
    }),
  );
}

/** The body without these kinds of reasoning in its messages. */
export function withoutReasoning(body: Fields, names: readonly string[]): Fields {
  return mapTurns(body, (turn) => {
    const { content, tool_calls: calls } = turn;
    return {
      ...withoutMembers(turn, names),
      ...(Array.isArray(calls)
        ? { tool_calls: callsOf(turn).map((call) => withoutMembers(call, names)) }
        : {}),
      ...(names.includes("thinking") && Array.isArray(content)
        ? { content: content.filter((block) => !isFields(block) || !isThinking(block)) }
        : {}),
    };
  });
}

function withoutMembers(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isNamed(name, names)));
}

function callsOf({ tool_calls: calls }: Fields): readonly Fields[] {
  return Array.isArray(calls) ? calls.filter((call) => isFields(call)) : [];
}

/** Whether a turn of the body calls tools and has no reasoning beside the calls. */
export function lacksReasoning(body: Fields): boolean {
  return turnsOf(body).some((turn) => lacksText(turn) || lacksThinking(turn));
}

/**
 * The body as services take it that want reasoning beside every call, where it is not known: with a placeholder
 * in the chat-completions style. The messages style has none, so calls and their results are told as text.
 */
export function withReasoningFilled(body: Fields): Fields {
  let told = new Set<unknown>();
  return mapTurns(body, (turn) => {
    // Some services use the ids of calls again, so results belong to the turn just before them.
    if (turn["role"] === "assistant") told = new Set();
    if (lacksText(turn)) return { ...turn, reasoning_content: turn["reasoning"] ?? placeholder };
    const content = turn["content"];
    if (!Array.isArray(content)) return turn;
    const tells = lacksThinking(turn);
    return {
      ...turn,
      content: content.map((block: unknown) => {
        if (!isFields(block)) return block;
        if (tells && block["type"] === "tool_use") {
          told.add(block["id"]);
          return textBlock(
            `(Called the tool ${String(block["name"])} with ${JSON.stringify(block["input"])}.)`,
          );
        }
        const isResult = block["type"] === "tool_result" && told.has(block["tool_use_id"]);
        return isResult ? textBlock(`(The tool came to this result: ${textOf(block["content"])})`) : block;
      }),
    };
  });
}

function turnsOf(body: Fields): readonly Fields[] {
  const messages = body["messages"];
  return Array.isArray(messages) ? messages.filter((turn) => isFields(turn)) : [];
}

function mapTurns(body: Fields, change: (turn: Fields) => Fields): Fields {
  const messages = body["messages"];
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map((turn: unknown) => (isFields(turn) ? change(turn) : turn)) };
}

function blocksOf({ content }: Fields): readonly Fields[] {
  return Array.isArray(content) ? content.filter((block) => isFields(block)) : [];
}

/** `thinking` names blocks only: no member of a message is called so. */
function isNamed(name: string, names: readonly string[]): boolean {
  return name !== "thinking" && names.includes(name) && reasoningFields.some((field) => field === name);
}

function isThinking({ type }: Fields): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function lacksText(turn: Fields): boolean {
  return Array.isArray(turn["tool_calls"]) && (turn["reasoning_content"] ?? "") === "";
}

function lacksThinking(turn: Fields): boolean {
  const blocks = blocksOf(turn);
  const [first] = blocks;
  return blocks.some(({ type }) => type === "tool_use") && first !== undefined && !isThinking(first);
}

function textBlock(text: string): object {
  return { type: "text", text };
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}
