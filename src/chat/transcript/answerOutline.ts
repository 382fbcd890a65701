import * as v from "valibot";
import type { ContentPart, ReasoningPart, StreamPart } from "../../protocol/conversation/conversation.ts";
import { isNestedTooDeep } from "../../protocol/conversation/json.ts";
import { reasoningLength } from "../../protocol/conversation/reasoning.ts";
import { reasoningListFields, reasoningTextFields } from "../../protocol/conversation/chatReasoning.ts";

/** A part of an answer: its reasoning, the length of a text without whitespace, or the ID of a tool call. */
export type OutlinePart =
  | ReasoningPart
  | { readonly type: "text"; readonly letters: number }
  | { readonly type: "call"; readonly id: string };

/**
 * The parts of an answer, in order. Other extensions may store a turn without its reasoning and change whitespace. The
 * outline restores the places of the reasoning.
 */
export type AnswerOutline = readonly OutlinePart[];

const string = v.string();
const fields = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check((value) => !isNestedTooDeep(value)),
);
const items = v.array(fields);
const reasoning = v.literal("reasoning");

export const outlineSchema = v.array(
  v.union([
    v.object({
      type: reasoning,
      form: v.literal("text"),
      field: v.picklist(reasoningTextFields),
      text: string,
    }),
    v.object({ type: reasoning, form: v.literal("list"), field: v.picklist(reasoningListFields), items }),
    v.object({ type: reasoning, form: v.literal("call"), callId: string, extra: fields }),
    v.object({
      type: reasoning,
      form: v.literal("thinking"),
      text: string,
      signature: v.exactOptional(string),
    }),
    v.object({ type: reasoning, form: v.literal("redacted"), data: string }),
    v.object({ type: v.literal("text"), letters: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    v.object({ type: v.literal("call"), id: string }),
  ]),
);

/** Validates an outline that was handed back. Returns undefined if it is invalid. */
export function readOutline(value: unknown): AnswerOutline | undefined {
  const read = v.safeParse(outlineSchema, value);
  return read.success ? read.output : undefined;
}

/** Notes the parts of an arriving answer. */
export class OutlineBuilder {
  /** Grows while the answer arrives. */
  readonly parts: OutlinePart[] = [];

  take(part: StreamPart): void {
    if (part.type === "text-delta") this.#takeText(part.text);
    else if (part.type === "reasoning") this.parts.push(part);
    else if (part.type === "tool-call") this.parts.push({ type: "call", id: part.id });
  }

  #takeText(text: string): void {
    const letters = countLetters(text);
    const last = this.parts.at(-1);
    if (last?.type === "text") this.parts.splice(-1, 1, { type: "text", letters: last.letters + letters });
    else this.parts.push({ type: "text", letters });
  }
}

/** Counts the UTF-16 units of a text without whitespace. */
export function countLetters(value: string): number {
  return value.replaceAll(/\s+/g, "").length;
}

/** Counts the UTF-16 units of all reasoning, including signatures. Returns 0 only if there is no reasoning. */
export function outlineLength(outline: AnswerOutline): number {
  return outline.reduce((sum, part) => {
    if (part.type !== "reasoning") return sum;
    const signature = part.form === "thinking" ? (part.signature ?? "") : "";
    return sum + reasoningLength(part) + signature.length + 1;
  }, 0);
}

/**
 * Inserts an answer's reasoning into the content of a turn. The turn may contain only some of the tool calls. It then
 * gets all reasoning before the last of these calls, because each turn with calls needs some.
 */
export function withReasoning(
  content: readonly ContentPart[],
  outline: AnswerOutline,
): readonly ContentPart[] {
  const present = new Set(content.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])));
  const last = outline.findLastIndex((part) => part.type === "call" && present.has(part.id));
  const lastOfAll = outline.findLastIndex(({ type }) => type === "call");
  const placed: ContentPart[] = [];
  let rest = content.filter(({ type }) => type !== "reasoning");
  for (const part of outline.slice(0, last === lastOfAll ? undefined : last + 1)) {
    switch (part.type) {
      case "reasoning":
        placed.push(part);
        break;
      case "text": {
        const [taken, left] = takeLetters(rest, part.letters);
        placed.push(...taken);
        rest = left;
        break;
      }
      case "call": {
        const end = rest.findIndex((each) => each.type === "tool-call" && each.id === part.id) + 1;
        placed.push(...rest.slice(0, end));
        rest = rest.slice(end);
        break;
      }
    }
  }
  return [...placed, ...rest].filter((part) => part.type !== "text" || part.text.trim() !== "");
}

/** Splits the content after this number of non-whitespace characters. Stops before a part that is not text. */
function takeLetters(
  content: readonly ContentPart[],
  letters: number,
): readonly [readonly ContentPart[], ContentPart[]] {
  const taken: ContentPart[] = [];
  let left = letters;
  for (const [position, part] of content.entries()) {
    if (part.type !== "text" || left === 0) return [taken, content.slice(position)];
    const has = countLetters(part.text);
    if (has > left) {
      const end = endOfLetters(part.text, left);
      taken.push({ ...part, text: part.text.slice(0, end) });
      return [taken, [{ ...part, text: part.text.slice(end) }, ...content.slice(position + 1)]];
    }
    taken.push(part);
    left -= has;
  }
  return [taken, []];
}

/** Returns the offset after this number of non-whitespace characters. */
function endOfLetters(value: string, letters: number): number {
  let seen = 0;
  for (const { 0: word, index } of value.matchAll(/\S+/g)) {
    if (seen + word.length >= letters) return index + letters - seen;
    seen += word.length;
  }
  return value.length;
}
