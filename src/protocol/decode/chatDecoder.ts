import { ChatReasoning } from "../conversation/chatReasoning.ts";
import { readContent } from "../conversation/contentParts.ts";
import type { ErrorBody, StreamPart } from "../conversation/conversation.ts";
import { readErrorBody, readBodyRequestId, isErrorEvent } from "./errorBody.ts";
import { mapStopReason, isOtherApiEvent, isMessage, EventDecoder } from "./decoding.ts";
import { isFields, readFields, readString } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { LeadingThought } from "./leadingThought.ts";
import { ToolCallCollector, readIndex, writeGivenArguments } from "../conversation/toolCalls.ts";
import type { ToolCallPiece } from "../conversation/toolCalls.ts";
import { readTokenCounts, reviseCounts, toUsage } from "./usage.ts";
import type { TokenCounts } from "./usage.ts";
import type { StreamDecoder } from "../conversation/wireStyle.ts";

/**
 * Decodes the chunks of a streamed chat completion. Also decodes a complete one, with `message` in place of `delta`.
 */
export interface ChatDecoder extends StreamDecoder {
  decodeFields(fields: Fields): readonly StreamPart[];
}

export function createChatDecoder(): ChatDecoder {
  return new Decoder();
}

/** The error if the finish reason is `error` but there is no error object. */
const unexplained: ErrorBody = { code: "finish_reason_error" };

/** Values of `finish_reason` that are no finish reason. Some services send `null` as a string. */
const noReasons: ReadonlySet<string> = new Set(["", "null", "error"]);

class Decoder extends EventDecoder implements ChatDecoder {
  /** The last finish reason. Emitted at the end, because more pieces of tool calls may follow it. */
  #finish: string | undefined;
  #refusal: string | undefined;
  #requestId: string | undefined;
  #calls: ToolCallCollector | undefined;
  #reasoning: ChatReasoning | undefined;
  readonly #thought = new LeadingThought();
  #counts: TokenCounts = {};
  /** The index of the choice with the text, and of the choice with the calls. */
  #textChoice: unknown;
  #callChoice: unknown;

  get argumentCharacters(): number {
    return this.#calls?.characters ?? 0;
  }

  close(): readonly StreamPart[] {
    if (this.ended) return [];
    this.end();
    const text = this.#thought.close();
    const made = this.#calls?.closeAll() ?? [];
    const reasoning = made.length === 0 ? [] : (this.#reasoning?.close() ?? []);
    const calls = [...text, ...reasoning, ...(this.#calls?.takeExtras() ?? []), ...made];
    if (this.#finish === undefined) return calls;
    const finish =
      this.#refusal === undefined
        ? plainFinish(this.#finish, this.#calls !== undefined)
        : refusedFinish(this.#finish, this.#refusal);
    return [...calls, finish];
  }

  /** May run per token, so members are read by constant names. */
  decodeFields(fields: Fields): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    if (fields["x_groq"] !== undefined || fields["request_id"] !== undefined) this.#readId(fields, parts);
    const choices = fields["choices"];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (isFields(choice)) this.#readChoice(choice, parts);
    else if (isMessage(fields)) this.noteOtherStyle();
    else if (isOtherApiEvent(fields)) this.noteOtherApi();
    if (Array.isArray(choices) && choices.length > 1) this.#readFurther(choices.slice(1), parts);
    const error = readError(fields, isFields(choice) ? choice : undefined);
    if (error !== undefined) parts.push({ type: "error", error });
    const usage = readUsageFields(fields, choice);
    if (usage !== undefined) this.#readUsage(usage, parts);
    return parts;
  }

  /** Reads further choices. Requests ask for one, but some gateways spread the answer over several choices. */
  #readFurther(choices: readonly unknown[], parts: StreamPart[]): void {
    for (const choice of choices) if (isFields(choice)) this.#readChoice(choice, parts);
  }

  #readUsage(usage: Fields, parts: StreamPart[]): void {
    this.#counts = reviseCounts(this.#counts, readTokenCounts(usage));
    const revised = toUsage(this.#counts);
    if (revised !== undefined) parts.push({ type: "usage", usage: revised });
  }

  #readId(fields: Fields, parts: StreamPart[]): void {
    const requestId = readBodyRequestId(fields);
    if (requestId === undefined || requestId === this.#requestId) return;
    this.#requestId = requestId;
    parts.push({ type: "request-id", requestId });
  }

  #readChoice(choice: Fields, parts: StreamPart[]): void {
    const before = parts.length;
    const message = choice["delta"] ?? choice["message"];
    const index = choice["index"] ?? 0;
    if (isFields(message)) this.#readMessage(message, index, parts);
    else if (typeof choice["text"] === "string") this.#readText(choice["text"], index, parts);
    if (parts.length > before) this.resume();
    const finish = choice["finish_reason"] ?? choice["finishReason"];
    if (typeof finish !== "string" || noReasons.has(finish)) return;
    this.#finish = finish;
    this.finish();
  }

  #readMessage(message: Fields, index: unknown, parts: StreamPart[]): void {
    if (hasReasoning(message)) {
      this.#reasoning ??= new ChatReasoning();
      const text = this.#reasoning.take(message);
      if (text !== "") parts.push({ type: "reasoning-delta", text });
    }
    const content = message["content"];
    if (typeof content === "string") this.#readText(content, index, parts);
    else this.#readParts(content, parts);
    const refusal = message["refusal"];
    if (typeof refusal === "string") this.#addRefusal(refusal);
    const calls = message["tool_calls"] ?? message["function_call"];
    if (typeof calls === "object" && calls !== null) this.#readCalls(calls, index);
  }

  /** Ignores text of every choice except the first one with text, because it would be another answer. */
  #readText(text: string, index: unknown, parts: StreamPart[]): void {
    if (text === "") return;
    this.#textChoice ??= index;
    if (index === this.#textChoice) parts.push(...this.#thought.take(text));
  }

  #readCalls(calls: object, index: unknown): void {
    const pieces = readChatToolCalls(calls);
    if (pieces.length === 0) return;
    this.#callChoice ??= index;
    if (index !== this.#callChoice) return;
    this.#calls ??= new ToolCallCollector();
    for (const piece of pieces) if (this.#calls.take(piece)) this.resume();
  }

  #readParts(content: unknown, parts: StreamPart[]): void {
    const read = readContent(content);
    parts.push(...read.parts);
    this.#addRefusal(read.refusal ?? "");
  }

  #addRefusal(text: string): void {
    if (text === "") return;
    this.resume();
    this.#refusal = (this.#refusal ?? "") + text;
  }
}

/** May run per token, so members are read by constant names. */
function hasReasoning(message: Fields): boolean {
  return Boolean(
    message["reasoning_content"] ||
    message["reasoning"] ||
    message["reasoning_text"] ||
    message["thinking"] ||
    message["reasoning_details"] ||
    message["thinking_blocks"],
  );
}

/** Returns the finish part. If the request names a tool, services report `stop` even though the tool is called. */
function plainFinish(wireReason: string, called: boolean): StreamPart {
  const reason = mapStopReason(wireReason);
  return { type: "finish", reason: called && reason === "stop" ? "tool-calls" : reason, wireReason };
}

/** Returns the finish part of a refusal. The service reports `stop`, as for an answer. */
function refusedFinish(wireReason: string, explanation: string): StreamPart {
  return { type: "finish", reason: "content-filter", wireReason, explanation };
}

/** Reads an error. Next to a choice, only an `error` or `base_resp` member counts; otherwise any known shape. */
function readError(fields: Fields, choice: Fields | undefined): ErrorBody | undefined {
  const isSuspect =
    choice === undefined ||
    (fields["error"] !== undefined && fields["error"] !== null) ||
    fields["base_resp"] !== undefined;
  if (isSuspect && isErrorEvent(fields)) return readErrorBody(fields);
  const group = fields["x_groq"];
  if (isFields(group) && typeof group["error"] === "string")
    return { ...unexplained, message: group["error"] };
  if (choice?.["finish_reason"] !== "error") return undefined;
  const error = readErrorBody(choice["error"]);
  return Object.keys(error).length === 0 ? unexplained : error;
}

/** Finds the usage: next to the choices, in `x_groq`, or in the choice. */
function readUsageFields(fields: Fields, choice: unknown): Fields | undefined {
  const usage = fields["usage"];
  if (isFields(usage)) return usage;
  for (const group of [fields["x_groq"], choice])
    if (isFields(group) && isFields(group["usage"])) return group["usage"];
  return undefined;
}

/** Reads `tool_calls` of a message or delta, or the `function_call` of older servers. Omits empty pieces. */
function readChatToolCalls(calls: object): readonly ToolCallPiece[] {
  return readPieces(calls).filter(
    ({ id, name, text, extra }) => id !== "" || name !== "" || text !== "" || extra !== undefined,
  );
}

function readPieces(calls: object): readonly ToolCallPiece[] {
  if (Array.isArray(calls)) return calls.filter((call) => isFields(call)).map((call) => readPiece(call));
  return isFields(calls) ? [readPiece({ index: 0, function: calls })] : [];
}

function readPiece(call: Fields): ToolCallPiece {
  const called = readFields(call, "function") ?? {};
  const extra = readFields(call, "extra_content");
  return {
    index: readIndex(call["index"]),
    id: readString(call, "id") ?? "",
    name: readString(called, "name") ?? "",
    text: readText(called["arguments"]),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** Returns the arguments as JSON text. Some servers send an object instead. */
function readText(given: unknown): string {
  if (typeof given === "string") return given;
  return given === undefined || given === null ? "" : writeGivenArguments(given);
}
