import { createHmac, randomBytes } from "node:crypto";
import { array, looseObject, optional, safeParse, string, unknown } from "valibot";
import { Refusal } from "./errorAnswers.ts";
import type { AnswerItem } from "./generation.ts";
import type { Style } from "./style.ts";

const chatTurns = looseObject({
  messages: array(
    looseObject({
      role: string(),
      tool_calls: optional(array(looseObject({ id: string() })), []),
      reasoning_content: optional(unknown()),
    }),
  ),
});
const block = looseObject({ type: string() });
type Block = { readonly type: string; readonly [name: string]: unknown };
interface Turn {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/**
 * Checks, as real services do, that clients return the service's reasoning. Chat completions: in all turns with tool
 * calls. Messages: in the turns with tool calls since the last question.
 */
export class IssuedReasoning {
  readonly #secret = randomBytes(16);
  /** All items of an answer, by the ID of each of its tool calls. */
  readonly #answers = new Map<string, readonly AnswerItem[]>();
  readonly #redacted = new Set<string>();

  /** Returns the signature that proves a text comes from this service. */
  sign(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64");
  }

  issue(items: readonly AnswerItem[]): void {
    for (const item of items) {
      if (item.type === "tool-call") this.#answers.set(item.id, items);
      if (item.type === "redacted") this.#redacted.add(item.data);
    }
  }

  /** Throws a `Refusal` if the reasoning of a turn with tool calls is missing or changed. */
  check(body: unknown, style: Style): void {
    if (style === "chat-completions") this.#checkChat(body);
    else this.#checkMessages(body);
  }

  #checkChat(body: unknown): void {
    const read = safeParse(chatTurns, body);
    if (!read.success) return;
    for (const [index, turn] of read.output.messages.entries()) {
      if (turn.role !== "assistant" || turn.tool_calls.length === 0) continue;
      const given = turn.reasoning_content;
      if (typeof given !== "string" || given === "") {
        throw refusal(
          `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
        );
      }
      const issued = this.#upToLast(turn.tool_calls.map(({ id }) => id));
      const wanted = issued.flatMap((item) => (item.type === "reasoning" ? [item.text] : [])).join("");
      if (wanted !== "" && given !== wanted) {
        throw refusal(`The reasoning_content at index ${index} must be passed back to the API unchanged.`);
      }
    }
  }

  #checkMessages(body: unknown): void {
    const turns = readTurns(body);
    const question = turns.findLastIndex(
      ({ role, content }) =>
        role === "user" &&
        (typeof content === "string" || content.every(({ type }) => type !== "tool_result")),
    );
    for (const [index, { role, content }] of turns.entries()) {
      if (typeof content === "string" || role !== "assistant") continue;
      for (const [position, each] of content.entries())
        this.#checkBlock(each, `messages.${index}.content.${position}`);
      const calls = content.flatMap(({ type, id }) => (type === "tool_use" ? [String(id)] : []));
      if (calls.length > 0 && index > question) this.#checkTurn(content, calls, index);
    }
  }

  #checkBlock({ type, thinking, signature, data }: Block, place: string): void {
    if (type === "thinking" && signature !== this.sign(String(thinking)))
      throw refusal(`${place}: Invalid \`signature\` in \`thinking\` block`);
    if (type === "redacted_thinking" && !this.#redacted.has(String(data)))
      throw refusal(`${place}: Invalid \`data\` in \`redacted_thinking\` block`);
  }

  #checkTurn(content: readonly Block[], calls: readonly string[], index: number): void {
    const first = content[0]?.type ?? "";
    if (first !== "thinking" && first !== "redacted_thinking") {
      throw refusal(
        `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. ` +
          "When `thinking` is enabled, a final `assistant` message must start with a thinking block " +
          "(preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
      );
    }
    const wanted = this.#upToLast(calls).map(sketchItem);
    if (wanted.length > 0 && content.map(sketchBlock).join("\n") !== wanted.join("\n")) {
      throw refusal(
        `messages.${index}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message ` +
          "cannot be modified. These blocks must remain as they were in the original response.",
      );
    }
  }

  /** Returns the items of the answer that made these calls, up to the last of the calls. Leaves out other calls. */
  #upToLast(calls: readonly string[]): readonly AnswerItem[] {
    const items = calls.map((id) => this.#answers.get(id)).find((found) => found !== undefined) ?? [];
    const last = items.findLastIndex((item) => item.type === "tool-call" && calls.includes(item.id));
    return items.slice(0, last + 1).filter((item) => item.type !== "tool-call" || calls.includes(item.id));
  }
}

function readTurns(body: unknown): readonly Turn[] {
  const read = safeParse(
    looseObject({ messages: array(looseObject({ role: string(), content: unknown() })) }),
    body,
  );
  if (!read.success) return [];
  return read.output.messages.map(({ role, content }) => {
    const blocks = safeParse(array(block), content);
    return { role, content: blocks.success ? blocks.output : String(content) };
  });
}

function sketchItem(item: AnswerItem): string {
  switch (item.type) {
    case "text":
      return `text ${item.text.trim()}`;
    case "reasoning":
      return `thinking ${item.text}`;
    case "redacted":
      return `redacted ${item.data}`;
    case "tool-call":
      return `call ${item.id}`;
  }
}

function sketchBlock({ type, text, thinking, data, id }: Block): string {
  switch (type) {
    case "text":
      return `text ${String(text).trim()}`;
    case "thinking":
      return `thinking ${String(thinking)}`;
    case "redacted_thinking":
      return `redacted ${String(data)}`;
    default:
      return `call ${String(id)}`;
  }
}

function refusal(sentence: string): Refusal {
  return new Refusal("out-of-range", sentence, "messages");
}
