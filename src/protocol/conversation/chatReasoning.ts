import type { ContentPart, ReasoningListField, ReasoningPart, ReasoningTextField } from "./conversation.ts";
import { isFields, readString } from "./json.ts";
import type { Fields } from "./json.ts";

/** Members of a message that hold reasoning as a text. The first is preferred where a service sends both. */
export const reasoningTextFields = [
  "reasoning_content",
  "reasoning",
] as const satisfies readonly ReasoningTextField[];

/** Members of a message that hold reasoning as a list of objects, in which signatures stand. */
export const reasoningListFields = [
  "reasoning_details",
  "thinking_blocks",
] as const satisfies readonly ReasoningListField[];

/** Further members that hold such a text, which no service wants back. */
const shownFields = ["reasoning_text", "thinking"] as const;

/** What is kept of one list; characters of its JSON. A longer one is not kept at all. */
const maxListCharacters = 4 * 1024 * 1024;

/** Members of a list's object that are streamed in pieces. */
const pieceMembers: readonly string[] = ["text", "summary", "thinking"];

/** Joins the reasoning of one chat-completions answer from its pieces. */
export class ChatReasoning {
  readonly #texts = new Map<ReasoningTextField, string>();
  readonly #lists = new Map<ReasoningListField, ReasoningList>();

  /** Keeps the reasoning of a message or a delta of one. Returns the text to show; empty where there is none. */
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

  /** Everything that came. */
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

/** The text of one object in a list of reasoning; empty if it has none. */
function shownText(item: unknown): string {
  if (!isFields(item)) return "";
  return pieceMembers.map((name) => readString(item, name)).find((text) => text !== undefined) ?? "";
}

/** Objects of a list, whose texts may come in pieces. */
class ReasoningList {
  #items: Fields[] = [];
  #characters = 0;

  get items(): readonly Fields[] {
    return this.#characters > maxListCharacters ? [] : this.#items;
  }

  /** Only the first object of an event can go on with the last one of the event before. */
  add(given: readonly unknown[]): void {
    for (const [position, item] of given.entries()) {
      if (!isFields(item)) continue;
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

/** The reasoning of a turn as members of its message; none that came in the other style. */
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

/** By the ids of calls, members that go back with them. */
export function readExtras(content: readonly ContentPart[]): ReadonlyMap<string, Fields> {
  return new Map(
    content.flatMap((part): readonly (readonly [string, Fields])[] =>
      part.type === "reasoning" && part.form === "call" ? [[part.callId, { extra_content: part.extra }]] : [],
    ),
  );
}
