import { isFields, objectLength, parseJson } from "../conversation/fields.ts";
import type { Fields } from "../conversation/fields.ts";
import { UnreadableStreamError } from "../conversation/unreadableStream.ts";

/** An object of a stream, or the end marker of chat completions, which gateways append to streams of either style. */
export type EventItem = Fields | "done";

const endMarker = "[DONE]";

/** What servers write while they have nothing to say; a comment would have been the place. */
const pulse = /^\[?(?:ping|keep-?alive|heartbeat|null)\]?$/i;

/** Whether an event's name says that it only keeps the connection open, whatever its data is. */
export function isPulse(event: string | undefined): boolean {
  return event !== undefined && pulse.test(event);
}

/** The name of the field, which some frameworks write a second time. */
const fieldName = /^(?:data:\s*)+/;

/**
 * Reads the data of an event that is no JSON object: nothing, a comment that a gateway wrapped, the end marker, the
 * object of an error in a list of one, or several objects, since some servers end an event with a single line feed.
 *
 * @param value the data as JSON, or undefined where it is none
 * @throws UnreadableStreamError `event`
 */
export function readOddData(data: string, value: unknown): readonly EventItem[] {
  const text = data.trim();
  if (text === "" || text.startsWith(":") || pulse.test(text)) return [];
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isFields(first)) return [first];
  const items = splitItems(text);
  if (items === undefined) throw new UnreadableStreamError("event", text);
  return items;
}

/** Objects and end markers one behind the other; undefined where there is anything else. */
function splitItems(text: string): readonly EventItem[] | undefined {
  const items: EventItem[] = [];
  let rest = text;
  while (rest !== "") {
    rest = rest.replace(fieldName, "");
    const isEnd = rest.startsWith(endMarker);
    const end = isEnd ? endMarker.length : objectLength(rest);
    const item = isEnd ? "done" : parseJson(rest.slice(0, end));
    if (item !== "done" && !isFields(item)) return undefined;
    items.push(item);
    rest = rest.slice(end).trimStart();
  }
  return items;
}
