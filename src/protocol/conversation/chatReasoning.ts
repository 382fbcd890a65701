import type { ContentPart, ReasoningListField, ReasoningPart, ReasoningTextField } from "./conversation.ts";
import { isFields, isNestedTooDeep, readString } from "./json.ts";
import type { Fields } from "./json.ts";

/** Members of a message with reasoning as text. The first is preferred if a service sends both. */
export const reasoningTextFields = [
  "reasoning_content",
  "reasoning",
] as const satisfies readonly ReasoningTextField[];

/** Members of a message with reasoning as a list of objects, which may contain signatures. */
export const reasoningListFields = [
  "reasoning_details",
  "thinking_blocks",
] as const satisfies readonly ReasoningListField[];

/** Further members with reasoning as text, which is shown but never sent back. */
const shownFields = ["reasoning_text", "thinking"] as const;

/** Maximum length of one list, in characters of JSON. Longer lists are dropped. */
const maxListCharacters = 4 * 1024 * 1024;

/** Members of list objects that are streamed in pieces. */
const pieceMembers: readonly string[] = ["text", "summary", "thinking"];

/** Assembles the reasoning of one Chat Completions answer from pieces. */
export class ChatReasoning {
  readonly #texts = new Map<ReasoningTextField, string>();
  readonly #lists = new Map<ReasoningListField, ReasoningList>();

  /** Stores the reasoning of a message or delta. Returns the text to show; empty if there is none. */
  take(message: Fields): string {
    let listed = "";
    for (const field of reasoningListFields) {
      const items: unknown = message[field];
      if (!Array.isArray(items) || items.length === 0) continue;
      this.#list(field).add(items);
      listed ||= items.map(shownText).join("");
    }
    for (const field of reasoningTextFields) {
      const text = message[field];
      if (typeof text !== "string" || text === "") continue;
      this.#texts.set(field, (this.#texts.get(field) ?? "") + text);
      return text;
    }
    const shown = shownFields.map((field) => readString(message, field)).find((text) => text !== undefined);
    return shown ?? listed;
  }

  /** Returns all stored reasoning. */
  close(): readonly ReasoningPart[] {
    const texts = [...this.#texts].map(([field, text]): ReasoningPart => ({
      type: "reasoning",
      form: "text",
      field,
      text,
    }));
    const lists = [...this.#lists].flatMap(([field, { items }]): readonly ReasoningPart[] =>
      items.length === 0 ? [] : [{ type: "reasoning", form: "list", field, items }],
    );
    return [...texts, ...lists];
  }

  #list(field: ReasoningListField): ReasoningList {
    const known = this.#lists.get(field);
    if (known !== undefined) return known;
    const made = new ReasoningList();
    this.#lists.set(field, made);
    return made;
  }
}

/** Returns the text of one object in a reasoning list; empty if it has none. */
function shownText(item: unknown): string {
  if (!isFields(item)) return "";
  return pieceMembers.map((name) => readString(item, name)).find((text) => text !== undefined) ?? "";
}

/** The objects of a list. Their texts may arrive in pieces. */
class ReasoningList {
  #items: Fields[] = [];
  #characters = 0;

  get items(): readonly Fields[] {
    return this.#characters > maxListCharacters ? [] : this.#items;
  }

  /** Adds the objects of an event. Only the first one can continue the last object of the previous event. */
  add(given: readonly unknown[]): void {
    for (const [position, item] of given.entries()) {
      if (!isFields(item) || isNestedTooDeep(item)) continue;
      this.#characters += JSON.stringify(item).length;
      if (this.#characters > maxListCharacters) {
        this.#items = [];
        return;
      }
      const last = position === 0 ? this.#items.at(-1) : undefined;
      if (last !== undefined && goesOn(last, item)) this.#items.splice(-1, 1, joinItems(last, item));
      else this.#items.push(item);
    }
  }
}

function goesOn(last: Fields, item: Fields): boolean {
  const isPiece = pieceMembers.some(
    (name) => typeof item[name] === "string" || typeof last[name] === "string",
  );
  const isOver = readString(last, "signature") !== undefined;
  const isSamePlace = last["type"] === item["type"] && last["index"] === item["index"];
  return isPiece && !isOver && isSamePlace && (item["index"] !== undefined || !haveDifferentIds(last, item));
}

function haveDifferentIds(one: Fields, other: Fields): boolean {
  const [first, second] = [readString(one, "id"), readString(other, "id")];
  return first !== undefined && second !== undefined && first !== second;
}

function joinItems(last: Fields, item: Fields): Fields {
  const joined: Record<string, unknown> = { ...last };
  for (const [name, value] of Object.entries(item)) {
    const before = joined[name];
    if (pieceMembers.includes(name) && typeof before === "string" && typeof value === "string")
      joined[name] = before + value;
    else if (value !== null && value !== "") joined[name] = value;
  }
  return joined;
}

/** Returns the reasoning of a turn as message members, without reasoning of the Messages style. */
export function convertChatReasoning(content: readonly ContentPart[]): Fields {
  const members: Record<string, string | readonly Fields[]> = {};
  for (const part of content) {
    if (part.type !== "reasoning") continue;
    if (part.form === "text") {
      const before = members[part.field];
      members[part.field] = (typeof before === "string" ? before : "") + part.text;
    } else if (part.form === "list") {
      const before = members[part.field];
      members[part.field] = [...(typeof before === "object" ? before : []), ...part.items];
    }
  }
  return members;
}

/** Returns the members to send back with calls, by call ID. */
export function readExtras(content: readonly ContentPart[]): ReadonlyMap<string, Fields> {
  return new Map(
    content.flatMap((part): readonly (readonly [string, Fields])[] =>
      part.type === "reasoning" && part.form === "call" ? [[part.callId, { extra_content: part.extra }]] : [],
    ),
  );
}
