import { cacheField, withoutCacheMarks } from "./cacheMarks.ts";
import { isFields } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { reasoningFields, withoutReasoning, withReasoningFilled } from "./reasoningAdaptation.ts";

/** A way in which a server wants a request written that differs from how it is written at first. */
export type Adaptation =
  /** Left out: a member of the body, its marks for the cache, or reasoning in its messages, that the server refuses by name. */
  | { readonly kind: "omit"; readonly field: string }
  /** The cap on generated tokens is called `max_completion_tokens`. */
  | { readonly kind: "rename-cap" }
  /** Instructions go ahead of the first question, in the same message. */
  | { readonly kind: "system-as-user" }
  /** Turns that call tools get something in the place of reasoning that is not known. */
  | { readonly kind: "fill-reasoning" }
  /** All reasoning is left out of one request, since the server takes it for altered. */
  | { readonly kind: "omit-reasoning" };

/** Fields that have no sense without another. */
const companions: Readonly<Record<string, readonly string[]>> = {
  stream: ["stream_options"],
  tools: ["tool_choice", "parallel_tool_calls"],
};

/** Names of the wire's fields that an adaptation takes away or changes. */
export function fieldOf(adaptation: Adaptation): string {
  switch (adaptation.kind) {
    case "omit":
      return adaptation.field;
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

/** One that later requests are written by as well. */
export type LastingAdaptation = Exclude<Adaptation, { kind: "omit-reasoning" }>;

export function isLasting(adaptation: Adaptation): adaptation is LastingAdaptation {
  return adaptation.kind !== "omit-reasoning";
}

export function isSameAdaptation(one: Adaptation, other: Adaptation): boolean {
  return one.kind === other.kind && fieldOf(one) === fieldOf(other);
}

/** The body as the server wants it. Pure; what does not apply changes nothing. */
export function adaptBody(body: Fields, adaptations: readonly Adaptation[]): Fields {
  // What is left out makes room that has to be filled.
  const isLast = ({ kind }: Adaptation): boolean => kind === "fill-reasoning";
  const ordered = [...adaptations.filter((each) => !isLast(each)), ...adaptations.filter(isLast)];
  return ordered.reduce((adapted, adaptation) => adaptOnce(adapted, adaptation), body);
}

function adaptOnce(body: Fields, adaptation: Adaptation): Fields {
  switch (adaptation.kind) {
    case "omit":
      if (adaptation.field === cacheField) return withoutCacheMarks(body);
      return withoutReasoning(without(body, [adaptation.field, ...(companions[adaptation.field] ?? [])]), [
        adaptation.field,
      ]);
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

/** Works on either style: instructions are a member of the body, or messages of their own. */
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

/** Instructions are a list of texts where one of them is marked for the cache. */
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
