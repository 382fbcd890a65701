import { cacheField, withoutCacheMarks } from "./cacheMarks.ts";
import { isFields } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { reasoningFields, withoutReasoning, withReasoningFilled } from "./reasoningAdaptation.ts";
import { thinkingField } from "./effort.ts";

/** A change that a service needs in the default form of requests. */
export type Adaptation =
  /** Omits a part that the server rejects by name: a body member, cache marks, or reasoning in messages. */
  | { readonly kind: "omit"; readonly field: string }
  /** Omits a body member with this value, because the server rejects the value and accepts others. */
  | { readonly kind: "omit-value"; readonly field: string }
  /** Sends no thinking budget. Keeps the thinking blocks of earlier turns, unlike `omit` with the field `thinking`. */
  | { readonly kind: "omit-thinking" }
  /** Sends the token limit as `max_completion_tokens`. */
  | { readonly kind: "rename-cap" }
  /** Puts instructions before the first question, in the same message. */
  | { readonly kind: "system-as-user" }
  /** Fills in missing reasoning in turns that call tools. */
  | { readonly kind: "fill-reasoning" }
  /** Omits all reasoning from one request, because the server considers the reasoning altered. */
  | { readonly kind: "omit-reasoning" };

/** Fields that are only valid with another field. */
const companions: Readonly<Record<string, readonly string[]>> = {
  stream: ["stream_options"],
  tools: ["tool_choice", "parallel_tool_calls"],
};

/** Returns the name of the wire field that an adaptation omits or changes. */
export function fieldOf(adaptation: Adaptation): string {
  switch (adaptation.kind) {
    case "omit":
    case "omit-value":
      return adaptation.field;
    case "omit-thinking":
      return thinkingField;
    case "rename-cap":
      return "max_tokens";
    case "system-as-user":
      return "system";
    case "fill-reasoning":
      return "reasoning";
    case "omit-reasoning":
      return "signature";
  }
}

/** An adaptation that also applies to later requests. */
export type LastingAdaptation = Exclude<Adaptation, { kind: "omit-reasoning" | "omit-value" }>;

/** @param sent the body of the rejected request */
export function isLasting(adaptation: Adaptation, sent: Fields): adaptation is LastingAdaptation {
  // Without thinking, the same turns need no reasoning.
  if (adaptation.kind === "fill-reasoning") return sent[thinkingField] === undefined;
  return adaptation.kind !== "omit-reasoning" && adaptation.kind !== "omit-value";
}

export function isSameAdaptation(one: Adaptation, other: Adaptation): boolean {
  return one.kind === other.kind && fieldOf(one) === fieldOf(other);
}

/** Applies adaptations to a body, without side effects. Adaptations that do not apply change nothing. */
export function adaptBody(body: Fields, adaptations: readonly Adaptation[]): Fields {
  // Fill in reasoning last, because other adaptations may remove some.
  const isLast = ({ kind }: Adaptation): boolean => kind === "fill-reasoning";
  const ordered = [...adaptations.filter((each) => !isLast(each)), ...adaptations.filter(isLast)];
  return ordered.reduce((adapted, adaptation) => adaptOnce(adapted, adaptation), body);
}

function adaptOnce(body: Fields, adaptation: Adaptation): Fields {
  switch (adaptation.kind) {
    case "omit":
      if (adaptation.field === cacheField) return withoutCacheMarks(body);
      if (adaptation.field === thinkingField) return withoutReasoning(body, [adaptation.field]);
      return withoutReasoning(without(body, [adaptation.field, ...(companions[adaptation.field] ?? [])]), [
        adaptation.field,
      ]);
    case "omit-value":
      return without(body, [adaptation.field]);
    case "omit-thinking":
      return without(body, [thinkingField]);
    case "rename-cap": {
      const { max_tokens: cap, ...rest } = body;
      return cap === undefined ? body : { ...rest, max_completion_tokens: cap };
    }
    case "system-as-user":
      return withSystemAsUser(body);
    case "fill-reasoning":
      return withReasoningFilled(body);
    case "omit-reasoning":
      return withoutReasoning(body, reasoningFields);
  }
}

function without(body: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Supports both styles: instructions as a member of the body or as messages. */
function withSystemAsUser(body: Fields): Fields {
  const listed = body["messages"];
  if (!Array.isArray(listed)) return body;
  const all = listed.filter((message) => isFields(message));
  const texts = [textOf(body["system"]), ...all.filter(isSystem).map(({ content }) => content)];
  const system = texts.filter((text) => typeof text === "string" && text !== "").join("\n\n");
  const turns = all.filter((message) => !isSystem(message));
  if (system === "") return body;
  const first = turns.findIndex(({ role }) => role === "user");
  const messages =
    first === -1
      ? [{ role: "user", content: system }, ...turns]
      : turns.with(first, { ...turns[first], content: prepend(system, turns[first]?.["content"]) });
  return { ...without(body, ["system"]), messages };
}

/** Returns instructions as text. With a cache mark, they are a list of text blocks. */
function textOf(system: unknown): unknown {
  return Array.isArray(system) ? withoutCacheMarks({ system })["system"] : system;
}

function isSystem(message: Fields): boolean {
  return message["role"] === "system";
}

function prepend(system: string, content: unknown): unknown {
  if (Array.isArray(content)) return [{ type: "text", text: system }, ...content];
  return typeof content === "string" ? `${system}\n\n${content}` : content;
}
