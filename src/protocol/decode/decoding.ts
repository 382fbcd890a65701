import { isFields, objectLength, parseJson } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { readErrorBody } from "./errorBody.ts";
import { UnreadableStreamError } from "../conversation/wireStyle.ts";
import type { StopReason, StreamPart } from "../conversation/conversation.ts";

/**
 * An object of a stream, or the end marker of chat completions. Gateways append the marker to streams of either style.
 */
type EventItem = Fields | "done";

const endMarker = "[DONE]";

/** Matches keep-alive data, which should have been a comment. */
const pulse = /^\[?(?:ping|keep-?alive|heartbeat|null)\]?$/i;

/** Matches the field name, which some frameworks repeat. */
const fieldName = /^(?:data:\s*)+/;

/**
 * Reads event data other than a JSON object. Accepts empty data, a comment as data, the end marker, and an object in a
 * list. Also accepts several objects, because some servers end an event with a single line feed.
 * @param value the data parsed as JSON; undefined if it is not JSON
 * @throws UnreadableStreamError `event`
 */
function readOddData(data: string, value: unknown): readonly EventItem[] {
  const text = data.trim();
  if (text === "" || text.startsWith(":") || pulse.test(text)) return [];
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isFields(first)) return [first];
  const items = splitItems(text);
  if (items === undefined) throw new UnreadableStreamError("event", text);
  return items;
}

/** Splits consecutive objects and end markers. Returns undefined if the text contains anything else. */
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

/**
 * Decodes the events of a streamed answer and tracks whether the answer is complete. A finish reason may be premature:
 * some services send one with every piece, others between reasoning and text.
 */
export abstract class EventDecoder {
  #finished = false;
  #ended = false;
  #resumed = false;
  #begun = false;
  #sawOtherStyle = false;
  #sawOtherApi = false;

  /** Decodes the data of one event. Skips an event with a keep-alive name, whatever its data. */
  decode(data: string, event?: string): readonly StreamPart[] {
    if (event !== undefined && pulse.test(event)) return [];
    if (event === "error") return [{ type: "error", error: readErrorBody(data) }];
    const value = parseJson(data);
    if (isFields(value)) return this.decodeFields(value);
    return readOddData(data, value).flatMap((item) =>
      item === "done" ? this.close() : this.decodeFields(item),
    );
  }

  /** Decodes one object of the stream. */
  abstract decodeFields(fields: Fields): readonly StreamPart[];

  /** Ends the answer and returns the parts held until then. */
  abstract close(): readonly StreamPart[];

  get sawOtherStyle(): boolean {
    return this.#sawOtherStyle;
  }

  get sawOtherApi(): boolean {
    return this.#sawOtherApi;
  }

  get finished(): boolean {
    return this.#finished;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get isOver(): boolean {
    return this.#ended || (this.#finished && !this.#resumed);
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Records a finish reason. */
  protected finish(): void {
    this.#finished = true;
  }

  /** Records that more of the answer has arrived. */
  protected resume(): void {
    this.#begun = true;
    if (!this.#finished || this.#ended) return;
    this.#finished = false;
    this.#resumed = true;
  }

  /** Records an event of the other client style. */
  protected noteOtherStyle(): void {
    this.#sawOtherStyle = true;
  }

  /** Records an event of an unknown API. */
  protected noteOtherApi(): void {
    this.#sawOtherApi = true;
  }

  /** Records the end marker of the client style. */
  protected end(): void {
    this.#finished = true;
    this.#ended = true;
  }
}

/** Finish reasons of both client styles and of common model servers, in lower case. */
const reasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_of_turn", "stop"],
  ["complete", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_calls", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["function_call", "tool-calls"],
  ["content_filter", "content-filter"],
  ["content_filtered", "content-filter"],
  ["refusal", "content-filter"],
  ["safety", "content-filter"],
  ["recitation", "content-filter"],
  ["prohibited_content", "content-filter"],
  ["blocklist", "content-filter"],
  ["sensitive", "content-filter"],
  ["guardrail_intervened", "content-filter"],
]);

/** Maps the finish reason of the service; `other` if unknown. */
export function mapStopReason(wireReason: string): StopReason {
  return reasons.get(wireReason.toLowerCase()) ?? "other";
}

const messageEvent = /^(?:message|content_block)_(?:start|delta|stop)$/;

/** Whether an object is a chat completion or a chunk. */
export function isCompletion(fields: Fields): boolean {
  const choices = fields["choices"];
  return Array.isArray(choices) && choices.length > 0;
}

/** Whether an object is a message of the messages style, or an event of one. */
export function isMessage(fields: Fields): boolean {
  const { type } = fields;
  if (type === "message") return Array.isArray(fields["content"]);
  return typeof type === "string" && messageEvent.test(type);
}

/** Whether an object is an event of an API other than the client styles. */
export function isOtherApiEvent({ type, candidates, done }: Fields): boolean {
  if (typeof type === "string") return type.startsWith("response.");
  return Array.isArray(candidates) || typeof done === "boolean";
}

/** Whether a body is an answer in any client style. */
export function isAnswer(body: unknown): boolean {
  return isFields(body) && (isCompletion(body) || isMessage(body));
}
