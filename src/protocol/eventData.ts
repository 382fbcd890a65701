import { isFields } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { UnreadableStreamError } from "./unreadableStream.ts";

/** What the data of an event holds that is no JSON object. */
type OddData =
  | { readonly kind: "fields"; readonly fields: Fields }
  /** The end marker of chat completions, which gateways append to streams of either style. */
  | { readonly kind: "done" }
  /** A comment that a gateway wrapped as data, or nothing. */
  | { readonly kind: "nothing" };

const nothing: OddData = { kind: "nothing" };
const done: OddData = { kind: "done" };

/**
 * @param value the data as JSON, or undefined where it is none
 * @throws UnreadableStreamError `event`
 */
export function readOddData(data: string, value: unknown): OddData {
  const text = data.trim();
  if (text === "" || text.startsWith(":")) return nothing;
  if (text === "[DONE]") return done;
  // Some gateways send the object of an error in a list of one.
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isFields(first)) return { kind: "fields", fields: first };
  throw new UnreadableStreamError("event", text);
}
