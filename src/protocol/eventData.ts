import { isFields, parseJson } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { UnreadableStreamError } from "./unreadableStream.ts";

/** What the data of an event holds, before a style reads it. */
export type EventData =
  | { readonly kind: "fields"; readonly fields: Fields }
  /** The end marker of chat completions, which gateways append to streams of either style. */
  | { readonly kind: "done" }
  /** A comment that a gateway wrapped as data, or nothing. */
  | { readonly kind: "nothing" };

const nothing: EventData = { kind: "nothing" };
const done: EventData = { kind: "done" };

/** @throws UnreadableStreamError `not-json` */
export function readEventData(data: string): EventData {
  const value = parseJson(data);
  if (isFields(value)) return { kind: "fields", fields: value };
  const text = data.trim();
  if (text === "" || text.startsWith(":")) return nothing;
  if (text === "[DONE]") return done;
  // Some gateways send the object of an error in a list of one.
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isFields(first)) return { kind: "fields", fields: first };
  throw new UnreadableStreamError("not-json", text);
}
