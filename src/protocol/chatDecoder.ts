import { ChatReasoning } from "./chatReasoning.ts";
import { readContent } from "./contentParts.ts";
import type { ErrorBody, StreamPart, Usage } from "./conversation.ts";
import { readErrorBody } from "./errorBody.ts";
import { readBodyRequestId } from "./errorFacts.ts";
import { isErrorBody } from "./errorShape.ts";
import { readOddData } from "./eventData.ts";
import { isFields, parseJson } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { mapStopReason } from "./stopReason.ts";
import { readChatToolCalls } from "./chatToolCalls.ts";
import { StreamEnd } from "./streamEnd.ts";
import { ToolCallCollector } from "./toolCalls.ts";
import { readUsage } from "./usage.ts";
import type { StreamDecoder } from "./wireStyle.ts";

/** Reads chunks of chat completions, and whole completions, which differ in one name only. */
export interface ChatDecoder extends StreamDecoder {
  decodeFields(fields: Fields): readonly StreamPart[];
}

export function createChatDecoder(): ChatDecoder {
  return new Decoder();
}

/** Given where a choice ends in `error` and no object says why. */
const unexplained: ErrorBody = { code: "finish_reason_error" };

/** Words in the place of a finish reason that are none; `null` is sent as a text too. */
const noReasons: ReadonlySet<string> = new Set(["", "null", "error"]);

class Decoder extends StreamEnd implements ChatDecoder {
  /** The last reason, told at the end: until then tool calls may come in further pieces. */
  #finish: string | undefined;
  #refusal: string | undefined;
  #requestId: string | undefined;
  #calls: ToolCallCollector | undefined;
  #reasoning: ChatReasoning | undefined;

  decode(data: string, event?: string): readonly StreamPart[] {
    if (event === "error") return [{ type: "error", error: readErrorBody(data) }];
    const value = parseJson(data);
    if (isFields(value)) return this.decodeFields(value);
    const read = readOddData(data, value);
    if (read.kind === "fields") return this.decodeFields(read.fields);
    return read.kind === "done" ? this.close() : [];
  }

  get argumentCharacters(): number {
    return this.#calls?.characters ?? 0;
  }

  close(): readonly StreamPart[] {
    if (this.ended) return [];
    this.end();
    const made = this.#calls?.closeAll() ?? [];
    const reasoning = made.length === 0 ? [] : (this.#reasoning?.close() ?? []);
    const calls = [...reasoning, ...(this.#calls?.takeExtras() ?? []), ...made];
    if (this.#finish === undefined) return calls;
    const finish =
      this.#refusal === undefined
        ? plainFinish(this.#finish, this.#calls !== undefined)
        : refusedFinish(this.#finish, this.#refusal);
    return [...calls, finish];
  }

  /** May run per token: members are read by constant names, and what is rare is asked for last. */
  decodeFields(fields: Fields): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    if (fields["x_groq"] !== undefined || fields["request_id"] !== undefined) this.#readId(fields, parts);
    const choice = chosen(fields["choices"]);
    if (choice !== undefined) this.#readChoice(choice, parts);
    const error = readError(fields, choice);
    if (error !== undefined) parts.push({ type: "error", error });
    const usage = readCounts(fields);
    if (usage !== undefined) parts.push({ type: "usage", usage });
    return parts;
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
    if (isFields(message)) this.#readMessage(message, parts);
    if (parts.length > before) this.goOn();
    const finish = choice["finish_reason"];
    if (typeof finish !== "string" || noReasons.has(finish)) return;
    this.#finish = finish;
    this.finish();
  }

  #readMessage(message: Fields, parts: StreamPart[]): void {
    if (hasReasoning(message)) {
      this.#reasoning ??= new ChatReasoning();
      const text = this.#reasoning.take(message);
      if (text !== "") parts.push({ type: "reasoning-delta", text });
    }
    const content = message["content"];
    if (typeof content !== "string") this.#readParts(content, parts);
    else if (content !== "") parts.push({ type: "text-delta", text: content });
    const refusal = message["refusal"];
    if (typeof refusal === "string") this.#addRefusal(refusal);
    const calls = message["tool_calls"] ?? message["function_call"];
    if (typeof calls === "object" && calls !== null) this.#readCalls(calls);
  }

  #readCalls(calls: object): void {
    const pieces = readChatToolCalls(calls);
    if (pieces.length === 0) return;
    this.#calls ??= new ToolCallCollector();
    for (const piece of pieces) if (this.#calls.take(piece)) this.goOn();
  }

  #readParts(content: unknown, parts: StreamPart[]): void {
    const read = readContent(content);
    parts.push(...read.parts);
    this.#addRefusal(read.refusal ?? "");
  }

  #addRefusal(text: string): void {
    if (text === "") return;
    this.goOn();
    this.#refusal = (this.#refusal ?? "") + text;
  }
}

/** May run per token, so the members are read by constant names. */
function hasReasoning(message: Fields): boolean {
  return Boolean(
    message["reasoning_content"] ||
    message["reasoning"] ||
    message["reasoning_details"] ||
    message["thinking_blocks"],
  );
}

/** A tool that was asked for by name is called with an end of `stop`. */
function plainFinish(wireReason: string, called: boolean): StreamPart {
  const reason = mapStopReason(wireReason);
  return { type: "finish", reason: called && reason === "stop" ? "tool-calls" : reason, wireReason };
}

/** A refusal ends in `stop`, like an answer; only its words tell. */
function refusedFinish(wireReason: string, explanation: string): StreamPart {
  return { type: "finish", reason: "content-filter", wireReason, explanation };
}

/** The first choice; a request asks for one only. */
function chosen(choices: unknown): Fields | undefined {
  if (!Array.isArray(choices)) return undefined;
  const first: unknown = choices[0];
  return isFields(first) ? first : undefined;
}

/** An error beside a choice is told by its name only; without a choice any shape of error counts. */
function readError(fields: Fields, choice: Fields | undefined): ErrorBody | undefined {
  const isSuspect = choice === undefined || (fields["error"] !== undefined && fields["error"] !== null);
  if (isSuspect && isErrorBody(fields)) return readErrorBody(fields);
  if (choice?.["finish_reason"] !== "error") return undefined;
  const error = readErrorBody(choice["error"]);
  return Object.keys(error).length === 0 ? unexplained : error;
}

function readCounts(fields: Fields): Usage | undefined {
  const usage = fields["usage"];
  if (isFields(usage)) return readUsage(usage);
  const group = fields["x_groq"];
  return isFields(group) && isFields(group["usage"]) ? readUsage(group["usage"]) : undefined;
}
