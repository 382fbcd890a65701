import type { ErrorBody } from "../conversation/conversation.ts";
import { isFields, parseJson, readFields, readString, readCount, readList } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";

/** Maximum nesting. Services put errors inside errors and JSON inside strings, but not deeper. */
const maxDepth = 6;

/** Members that hold an error or wrap one. */
const layers = ["error", "detail", "errors", "message", "data", "fault", "body", "base_resp"];

/** Members that hold a message, most informative first. */
const sentences = [
  "message",
  "error_description",
  "detail",
  "msg",
  "status_msg",
  "Message",
  "faultstring",
  "error_message",
  "error_msg",
  "errorMessage",
  "title",
  "reason",
];

/**
 * Reads the error in a body of any known shape (wire.md, "Errors to read"): an object, a list, a string, JSON inside a
 * string. Omits facts that it cannot find; never throws.
 */
export function readErrorBody(body: unknown): ErrorBody {
  return readLayer(body, 0);
}

function readLayer(value: unknown, depth: number): ErrorBody {
  if (depth > maxDepth) return {};
  if (typeof value === "string") return readText(value, depth);
  if (Array.isArray(value)) return readFirst(value, depth);
  return isFields(value) ? readObject(value, depth) : {};
}

function readText(text: string, depth: number): ErrorBody {
  const trimmed = text.trim();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) {
    const inner = parseJson(trimmed);
    if (inner !== undefined) return readLayer(inner, depth + 1);
  }
  const message = withoutRequestId(trimmed);
  const requestId = requestIdIn(trimmed);
  return { ...(message === "" ? {} : { message }), ...(requestId === undefined ? {} : { requestId }) };
}

function readFirst(list: readonly unknown[], depth: number): ErrorBody {
  for (const entry of list.slice(0, 5)) {
    const body = readLayer(entry, depth + 1);
    if (Object.keys(body).length > 0) return body;
  }
  return {};
}

function readObject(fields: Fields, depth: number): ErrorBody {
  const own: ErrorBody = { ...readSentence(fields, depth), ...readErrorFacts(fields) };
  const merged = layers.reduce((body, name) => addLayer(body, fields[name], depth), own);
  return addUpstream(merged, fields, depth);
}

/** Reads the message of the object, and facts inside the message (an ID, JSON). */
function readSentence(fields: Fields, depth: number): ErrorBody {
  const read = sentences
    .map((name) => readString(fields, name))
    .filter((text) => text !== undefined)
    .map((text) => readText(text, depth));
  const first = read.find((body) => body.message !== undefined);
  // A message may consist of a request ID only.
  return first === undefined ? (read[0] ?? {}) : withPlace({ ...read[0], ...first }, fields);
}

/** Adds the location of a validation error: `{ loc: ["body", "messages", 0], msg }`. */
function withPlace(body: ErrorBody, fields: Fields): ErrorBody {
  const place = fields["loc"];
  if (!Array.isArray(place) || body.message === undefined) return body;
  const steps = place.filter((step) => typeof step === "string" || typeof step === "number");
  const param = steps.filter((step) => step !== "body").join(".");
  return param === "" ? body : { ...body, param, message: `${param}: ${body.message}` };
}

/** Merges an inner layer into the outer one. Inner facts win, except that a plain string never replaces a message. */
function addLayer(outer: ErrorBody, value: unknown, depth: number): ErrorBody {
  if (typeof value === "string" && outer.message !== undefined) {
    const code = /^[a-z]+(_[a-z]+)+$/i.test(value) ? value : undefined;
    return outer.code !== undefined || code === undefined ? outer : { ...outer, code };
  }
  const inner = readLayer(value, depth + 1);
  if (typeof value === "string" && /^[a-z]+(_[a-z]+)+$/.test(value))
    return { code: value, ...outer, ...inner };
  return { ...outer, ...inner };
}

/** Adds the error of the upstream service. Routers put it in `metadata.raw`, below a message without information. */
function addUpstream(body: ErrorBody, fields: Fields, depth: number): ErrorBody {
  const raw = readFields(fields, "metadata")?.["raw"];
  if (raw === undefined) return body;
  const upstream = readLayer(raw, depth + 1);
  const hasNoMessage = body.message === undefined || /^provider returned error\b/i.test(body.message);
  return {
    ...upstream,
    ...body,
    ...(hasNoMessage && upstream.message ? { message: upstream.message } : {}),
  };
}

type ErrorFacts = { -readonly [name in keyof ErrorBody]: ErrorBody[name] };

/** Types and codes that only say that there was an error. */
const emptyWords = /^(?:error|errors|none|null|undefined|unknown|fail(?:ed|ure)?|about:blank|https?:.*)?$/i;

const statusNames = ["status", "statusCode", "status_code", "http_status_code", "http_status", "httpStatus"];

/** Reads the facts in members of the error object, except for its message. */
function readErrorFacts(fields: Fields): ErrorBody {
  const facts: ErrorFacts = {};
  const type = firstWord(fields, ["type", "error_type", "errorType", "__type", "status"]);
  if (type !== undefined) facts.type = type;
  const code = readCode(fields);
  if (code !== undefined) facts.code = code;
  const param = firstWord(fields, ["param"]);
  if (param !== undefined) facts.param = param;
  const status = readStatus(fields, code, param);
  if (status !== undefined) facts.status = status;
  const requestId = readBodyRequestId(fields);
  if (requestId !== undefined) facts.requestId = requestId;
  const retryAfterMs = readBodyRetryAfter(fields);
  if (retryAfterMs !== undefined) facts.retryAfterMs = retryAfterMs;
  return facts;
}

function firstWord(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const word = readString(fields, name);
    if (word !== undefined && !emptyWords.test(word)) return word;
  }
  return undefined;
}

/** Reads the code: a number, a word or a sentence. A reason in `details` is more informative than a number. */
function readCode(fields: Fields): string | undefined {
  const word = firstWord(fields, ["code", "error_code", "errorCode", "errorcode"]);
  if (word !== undefined && !/^\d+$/.test(word)) return word;
  const reason = detailsOf(fields).map((detail) => readString(detail, "reason"));
  const status = readCount(fields, "status_code") ?? 0;
  // A number above the HTTP range is a code of the service.
  const ownStatus = status > 999 ? status : undefined;
  const number = readCount(fields, "code") ?? readCount(fields, "error_code") ?? ownStatus;
  return reason.find((text) => text !== undefined) ?? word ?? number?.toString();
}

function readStatus(fields: Fields, code: string | undefined, param: string | undefined): number | undefined {
  const numbers = statusNames.map((name) => statusIn(fields[name]));
  return [...numbers, statusIn(fields["code"]), statusIn(code), statusIn(param)].find((n) => n !== undefined);
}

/** Reads a 4xx or 5xx status, also from text or from the first digits of a five-digit code (FastChat's 40301). */
function statusIn(value: unknown): number | undefined {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  const digits = /^([45]\d\d)(?:\d\d)?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function detailsOf(fields: Fields): readonly Fields[] {
  return (readList(fields, "details") ?? []).filter((detail) => isFields(detail));
}

/** Reads the retry delay in milliseconds: `details[].retryDelay: "34.4s"` (google.rpc.RetryInfo), or plain members. */
function readBodyRetryAfter(fields: Fields): number | undefined {
  for (const detail of detailsOf(fields)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(readString(detail, "retryDelay") ?? "")?.[1];
    if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  }
  const seconds = readCount(fields, "retry_after");
  return readCount(fields, "retry_after_ms") ?? (seconds === undefined ? undefined : seconds * 1000);
}

/** Reads the request ID from members of an error or answer. The `id` of a completion is not a request ID. */
export function readBodyRequestId(fields: Fields): string | undefined {
  const group = readFields(fields, "x_groq");
  return (
    readString(fields, "request_id") ??
    readString(fields, "requestId") ??
    (group === undefined ? undefined : readString(group, "id"))
  );
}

const idInText = /\brequest[ _-]?id\b["'`]?\s*[:=]?\s*["'`]?((?=[\w.-]*\d)[A-Za-z0-9][\w.-]{5,}\w)/i;
const idAtEnd = /\s*\(\s*(?:request|trace)[ _-]?id\s*[:=]?\s*[\w.-]+\s*\)\s*\.?$/i;

/** Returns the request ID in a message: `(request id: 2025...)`, `request_id: req_...`. */
function requestIdIn(text: string): string | undefined {
  return idInText.exec(text.slice(0, 4000))?.[1];
}

/** Removes a request ID in parentheses from the end of a message. */
function withoutRequestId(text: string): string {
  return text.length > 4000 ? text : text.replace(idAtEnd, "").trim();
}

/** Members that are lists only in answers and model lists. */
const answers = ["choices", "content", "data", "models"];

/** Members that, together with a message, mark an error. */
const marks = ["code", "status", "statusCode", "status_code", "type", "request_id", "error_code", "param"];

/** Values of these members that do not mark an error: absent, or a success code. */
const noErrorValues: ReadonlySet<unknown> = new Set([undefined, null, 0, 200]);

/**
 * Whether a JSON body with a success status is an error (wire.md, "a 200 with an error body"). Also tests events of a
 * stream.
 */
export function isErrorBody(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 1 && isFields(body[0]) && isSignal(body[0]["error"]);
  if (!isFields(body)) return false;
  if (body["type"] === "error" || body["object"] === "error" || isSignal(body["error"])) return true;
  if (isFailedGroup(body["base_resp"])) return true;
  if (answers.some((name) => Array.isArray(body[name]))) return false;
  return isErrorObject(body);
}

/** Members that mark an error in an event. `type` and `request_id` are missing, because other events have them too. */
const marksOfEvents = ["code", "statusCode", "status_code", "error_code", "param"];

/**
 * Whether an event of unknown type is an error. A `message` alone does not count, because other events have one too.
 */
export function isErrorEvent(event: Fields): boolean {
  const name = readString(event, "type");
  if (name === undefined || /error$/i.test(name) || event["object"] === "error") return isErrorBody(event);
  if (isSignal(event["error"]) || isFailedGroup(event["base_resp"])) return true;
  const sentence = readString(event, "message") ?? readString(event, "detail");
  const isMarkedSo = isMarked(event, marksOfEvents) || readCount(event, "status") !== undefined;
  return sentence !== undefined && isMarkedSo;
}

/** Whether an `error` member is set. Null, false, an empty string and an empty object do not count. */
function isSignal(value: unknown): boolean {
  if (isFields(value)) return Object.keys(value).length > 0;
  return value === true || (typeof value === "string" && value.trim() !== "");
}

/** Whether the status group reports a failure. All answers of MiniMax have this group; 0 means success. */
function isFailedGroup(group: unknown): boolean {
  return isFields(group) && (readCount(group, "status_code") ?? 0) > 0;
}

function isErrorObject(body: Fields): boolean {
  if (body["success"] === false || isFields(body["fault"])) return true;
  if ((readCount(body, "error_code") ?? 0) > 0 || (readList(body, "errors") ?? []).length > 0) return true;
  const detail = body["detail"];
  if (typeof detail === "string" || Array.isArray(detail) || isFields(detail)) return true;
  if (readString(body, "msg") !== undefined && isFailedCode(body["code"])) return true;
  const isSentence = readString(body, "message") !== undefined || isFields(body["message"]);
  return isSentence && isMarked(body, marks);
}

/** Whether a code next to `msg` reports a failure. Success answers have a code too: 0, 200 or a word. */
function isFailedCode(code: unknown): boolean {
  const digits = typeof code === "number" || typeof code === "string" ? String(code) : "";
  return /^-?\d+$/.test(digits) && !["0", "200"].includes(digits);
}

function isMarked(body: Fields, names: readonly string[]): boolean {
  return names.some((name) => !noErrorValues.has(body[name]));
}
