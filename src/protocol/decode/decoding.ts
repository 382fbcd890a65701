import { isFields, objectLength, parseJson } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { readErrorBody } from "./errorBody.ts";
import { UnreadableStreamError } from "../conversation/wireStyle.ts";
import type { StopReason, StreamPart } from "../conversation/conversation.ts";

/** An object of a stream, or the end marker of chat completions, which gateways append to streams of either style. */
type EventItem = Fields | "done";

const endMarker = "[DONE]";

/** What servers write while they have nothing to say; a comment would have been the place. */
const pulse = /^\[?(?:ping|keep-?alive|heartbeat|null)\]?$/i;

/** The name of the field, which some frameworks write a second time. */
const fieldName = /^(?:data:\s*)+/;

/**
 * Reads the data of an event that is no JSON object: nothing, a comment that a gateway wrapped, the end marker, the
 * object of an error in a list of one, or several objects, since some servers end an event with a single line feed.
 *
 * @param value the data as JSON, or undefined where it is none
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

/**
 * Reads the events of a streamed answer, and how far it has come to its end. A reason to finish is not always one: some
 * services give one with every piece, some behind the reasoning and before the text.
 */
export abstract class EventDecoder {
  #finished = false;
  #ended = false;
  #resumed = false;
  #begun = false;
  #sawOtherStyle = false;
  #sawOtherApi = false;

  /** An event with such a name only keeps the connection open, whatever its data is. */
  decode(data: string, event?: string): readonly StreamPart[] {
    if (event !== undefined && pulse.test(event)) return [];
    if (event === "error") return [{ type: "error", error: readErrorBody(data) }];
    const value = parseJson(data);
    if (isFields(value)) return this.decodeFields(value);
    return readOddData(data, value).flatMap((item) =>
      item === "done" ? this.close() : this.decodeFields(item),
    );
  }

  /** Reads one object of the stream. */
  abstract decodeFields(fields: Fields): readonly StreamPart[];

  /** Gives what was held until the end. */
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

  /** A reason to finish. */
  protected finish(): void {
    this.#finished = true;
  }

  /** More of the answer. */
  protected resume(): void {
    this.#begun = true;
    if (!this.#finished || this.#ended) return;
    this.#finished = false;
    this.#resumed = true;
  }

  /** An event of the other client style. */
  protected noteOtherStyle(): void {
    this.#sawOtherStyle = true;
  }

  /** An event of no client style. */
  protected noteOtherApi(): void {
    this.#sawOtherApi = true;
  }

  /** The style's own end. */
  protected end(): void {
    this.#finished = true;
    this.#ended = true;
  }
}

/** Words of both client styles and of the model runners behind them, in lower case. */
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

/** Maps the server's word for why an answer ended. */
export function mapStopReason(wireReason: string): StopReason {
  return reasons.get(wireReason.toLowerCase()) ?? "other";
}

const messageEvent = /^(?:message|content_block)_(?:start|delta|stop)$/;

/** Whether an object is a chat completion, or a chunk of one. */
export function isCompletion(fields: Fields): boolean {
  const choices = fields["choices"];
  return Array.isArray(choices) && choices.length > 0;
}

/** Whether an object is a message of the other style, or an event of one. */
export function isMessage(fields: Fields): boolean {
  const { type } = fields;
  if (type === "message") return Array.isArray(fields["content"]);
  return typeof type === "string" && messageEvent.test(type);
}

/** Whether an object is an event of an API that is none of the client styles. */
export function isOtherApiEvent({ type, candidates, done }: Fields): boolean {
  if (typeof type === "string") return type.startsWith("response.");
  return Array.isArray(candidates) || typeof done === "boolean";
}

/** Whether a body is an answer in any client style. */
export function isAnswer(body: unknown): boolean {
  return isFields(body) && (isCompletion(body) || isMessage(body));
}
