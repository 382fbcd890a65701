import type { ContentPart, Message, ToolCall } from "../../protocol/conversation/conversation.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import { type AnswerOutline, outlineLength, withReasoning } from "../transcript/answerOutline.ts";

/** Returns the outline of the answer that made these calls, if known. `before` is the message before the answer. */
export type RecallOutline = (
  calls: readonly ToolCall[],
  before: Message | undefined,
) => AnswerOutline | undefined;

interface RememberedAnswer {
  readonly key: string;
  readonly outline: AnswerOutline;
  /** This text and `before` distinguish answers if a service uses the same call ID twice. */
  readonly argumentsText: string;
  readonly before: string;
  readonly length: number;
}

/**
 * Remembers the reasoning of answers with tool calls, because other extensions may drop it from the conversation. In
 * memory only; the oldest answers are dropped at a limit. Each source only finds its own reasoning.
 */
export class ReasoningMemory {
  /** Oldest first. */
  readonly #answers = new Set<RememberedAnswer>();
  readonly #byKey = new Map<string, RememberedAnswer[]>();
  readonly #maxLength: number;
  #length = 0;

  /** @param maxLength UTF-16 units of all remembered reasoning */
  constructor(maxLength = 16 * 1024 * 1024) {
    this.#maxLength = maxLength;
  }

  /**
   * Remembers an answer by one of its calls. The outline may still grow afterwards.
   * @param source the answer's connection, model and client style
   * @param before the last message of the request
   */
  remember(source: string, call: ToolCall, before: Message | undefined, outline: AnswerOutline): void {
    const length = outlineLength(outline);
    if (length === 0) return;
    const answer = {
      key: keyOf(source, call),
      outline,
      argumentsText: argumentsOf(call),
      before: sketchOf(before),
      length,
    };
    this.#answers.add(answer);
    this.#length += length;
    const same = this.#byKey.get(answer.key);
    if (same === undefined) this.#byKey.set(answer.key, [answer]);
    else same.push(answer);
    for (const oldest of this.#answers) {
      if (this.#length <= this.#maxLength) break;
      this.#forget(oldest);
    }
  }

  /** Returns a lookup for one source. If several answers match equally well, the newest wins. */
  recall(source: string): RecallOutline {
    return (calls, before) => {
      const sketch = sketchOf(before);
      for (const call of calls) {
        const known = this.#byKey.get(keyOf(source, call)) ?? [];
        const given = argumentsOf(call);
        const found =
          known.findLast((each) => each.before === sketch && each.argumentsText === given) ??
          known.findLast((each) => each.before === sketch) ??
          known.findLast((each) => each.argumentsText === given);
        if (found !== undefined) return found.outline;
      }
      return undefined;
    };
  }

  #forget(answer: RememberedAnswer): void {
    this.#answers.delete(answer);
    this.#length -= answer.length;
    const others = (this.#byKey.get(answer.key) ?? []).filter((each) => each !== answer);
    if (others.length === 0) this.#byKey.delete(answer.key);
    else this.#byKey.set(answer.key, others);
  }
}

function keyOf(source: string, { id, name }: ToolCall): string {
  return JSON.stringify([source, id, name]);
}

function argumentsOf({ arguments: given }: ToolCall): string {
  return toolArgumentsText(given).slice(0, 2000);
}

/** Returns the start and the length of a message's text, without images. */
function sketchOf(message: Message | undefined): string {
  const texts = (message?.content ?? []).map((part: ContentPart) =>
    part.type === "text" || part.type === "tool-result" ? part.text : "",
  );
  const said = texts.join("\n").trim();
  return `${said.length} ${said.slice(0, 200)}`;
}

/** Adds reasoning to turns with tool calls, if it is remembered. */
export function restoreReasoning(messages: readonly Message[], recall: RecallOutline): readonly Message[] {
  return messages.map((message, index) => {
    const calls = message.content.filter((part) => part.type === "tool-call");
    if (message.role !== "assistant" || calls.length === 0) return message;
    const outline = recall(calls, messages[index - 1]);
    return outline === undefined ? message : { ...message, content: withReasoning(message.content, outline) };
  });
}
