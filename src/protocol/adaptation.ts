import { cacheField, withoutCacheMarks } from "./cacheMarks.ts";
import { isFields } from "./fields.ts";
import type { Fields } from "./fields.ts";

/** A way in which a server wants a request written that differs from how it is written at first. */
export type Adaptation =
  /** Left out: a member of the request's body that the server refuses by name, or its marks for the cache. */
  | { readonly kind: "omit"; readonly field: string }
  /** The cap on generated tokens is called `max_completion_tokens`. */
  | { readonly kind: "rename-cap" }
  /** Instructions go ahead of the first question, in the same message. */
  | { readonly kind: "system-as-user" };

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
  }
}

export function isSameAdaptation(one: Adaptation, other: Adaptation): boolean {
  return one.kind === other.kind && fieldOf(one) === fieldOf(other);
}

/** The body as the server wants it. Pure; what does not apply changes nothing. */
export function adaptBody(body: Fields, adaptations: readonly Adaptation[]): Fields {
  return adaptations.reduce((adapted, adaptation) => adaptOnce(adapted, adaptation), body);
}

function adaptOnce(body: Fields, adaptation: Adaptation): Fields {
  switch (adaptation.kind) {
    case "omit":
      if (adaptation.field === cacheField) return withoutCacheMarks(body);
      return without(body, [adaptation.field, ...(companions[adaptation.field] ?? [])]);
    case "rename-cap": {
      const { max_tokens: cap, ...rest } = body;
      return cap === undefined ? body : { ...rest, max_completion_tokens: cap };
    }
    case "system-as-user":
      return withSystemAsUser(body);
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
