import { reasoningListFields, reasoningTextFields } from "../conversation/chatReasoning.ts";
import { isFields } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";

/** Names of reasoning in a body: members of Chat Completions messages and calls, and blocks of the Messages style. */
export const reasoningFields = [
  ...reasoningTextFields,
  ...reasoningListFields,
  "extra_content",
  "thinking",
] as const;
export type ReasoningFieldName = (typeof reasoningFields)[number];

/** Placeholder for reasoning that is no longer known. Some services reject an empty string. */
const placeholder = " ";

/** Returns the kinds of reasoning in the messages of a body. */
export function reasoningIn(body: Fields): readonly ReasoningFieldName[] {
  const turns = turnsOf(body);
  return reasoningFields.filter((name) =>
    turns.some((turn) => {
      if (name === "thinking") return blocksOf(turn).some(isThinking);
      return [turn, ...callsOf(turn)].some((each) => each[name] !== undefined);
    }),
  );
}

/** Removes these kinds of reasoning from the messages of a body. */
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

/** Whether any turn of the body calls tools without reasoning. */
export function lacksReasoning(body: Fields): boolean {
  return turnsOf(body).some((turn) => lacksText(turn) || lacksThinking(turn));
}

/**
 * Fills in missing reasoning, for services that require reasoning with every call. Chat Completions gets a placeholder.
 * Messages has no valid placeholder, so calls and results become text.
 */
export function withReasoningFilled(body: Fields): Fields {
  let told = new Set<unknown>();
  return mapTurns(body, (turn) => {
    // Some services reuse call IDs, so results belong to the turn directly before.
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

/** Whether a member is reasoning to remove. `thinking` only names blocks, never members. */
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
