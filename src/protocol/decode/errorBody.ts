import type { ErrorBody } from "../conversation/conversation.ts";
import { isFields, parseJson, readFields, readString, readCount, readList } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";

/** Servers nest an error in an error and JSON in a string; deeper than this none of them goes. */
const maxDepth = 6;

/** Members that hold an error, or a further layer around one. */
const layers = ["error", "detail", "errors", "message", "data", "fault", "body", "base_resp"];

/** Members that hold a sentence, the most telling first. */
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
 * Reads the error in a body of any shape found in the wild (wire.md, "Errors to read"): an object,
 * a list, a string, JSON inside a string. What it cannot find is absent; it never throws.
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

/** The object's own sentence, and what the sentence holds beside words (an ID, JSON). */
function readSentence(fields: Fields, depth: number): ErrorBody {
  const read = sentences
    .map((name) => readString(fields, name))
    .filter((text) => text !== undefined)
    .map((text) => readText(text, depth));
  const first = read.find((body) => body.message !== undefined);
  // A sentence that is nothing but a request ID has the ID all the same.
  return first === undefined ? (read[0] ?? {}) : withPlace({ ...read[0], ...first }, fields);
}

/** A validation error says where: `{ loc: ["body", "messages", 0], msg }`. */
function withPlace(body: ErrorBody, fields: Fields): ErrorBody {
  const place = fields["loc"];
  if (!Array.isArray(place) || body.message === undefined) return body;
  const steps = place.filter((step) => typeof step === "string" || typeof step === "number");
  const param = steps.filter((step) => step !== "body").join(".");
  return param === "" ? body : { ...body, param, message: `${param}: ${body.message}` };
}

/** An inner layer knows better than the one around it, except where it is a mere word. */
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

/** A router passes on what the provider said in `metadata.raw`, under a sentence that says nothing. */
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

/** Words in the place of a type or code that say no more than that there was an error. */
const emptyWords = /^(?:error|errors|none|null|undefined|unknown|fail(?:ed|ure)?|about:blank|https?:.*)?$/i;

const statusNames = ["status", "statusCode", "status_code", "http_status_code", "http_status", "httpStatus"];

/** The facts that an error object states in members of its own, apart from its sentence. */
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

/** `code` comes as a number, a word, or a sentence; a reason in `details` is more telling than a number. */
function readCode(fields: Fields): string | undefined {
  const word = firstWord(fields, ["code", "error_code", "errorCode", "errorcode"]);
  if (word !== undefined && !/^\d+$/.test(word)) return word;
  const reason = detailsOf(fields).map((detail) => readString(detail, "reason"));
  const status = readCount(fields, "status_code") ?? 0;
  // Beyond those of HTTP it is a code of the service's own.
  const ownStatus = status > 999 ? status : undefined;
  const number = readCount(fields, "code") ?? readCount(fields, "error_code") ?? ownStatus;
  return reason.find((text) => text !== undefined) ?? word ?? number?.toString();
}

function readStatus(fields: Fields, code: string | undefined, param: string | undefined): number | undefined {
  const numbers = statusNames.map((name) => statusIn(fields[name]));
  return [...numbers, statusIn(fields["code"]), statusIn(code), statusIn(param)].find((n) => n !== undefined);
}

/** A status of class 4 or 5, also as text, and as the head of a code of five digits (FastChat's 40301). */
function statusIn(value: unknown): number | undefined {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  const digits = /^([45]\d\d)(?:\d\d)?$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function detailsOf(fields: Fields): readonly Fields[] {
  return (readList(fields, "details") ?? []).filter((detail) => isFields(detail));
}

/** `details[].retryDelay: "34.4s"` (google.rpc.RetryInfo), or plain members; milliseconds. */
function readBodyRetryAfter(fields: Fields): number | undefined {
  for (const detail of detailsOf(fields)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(readString(detail, "retryDelay") ?? "")?.[1];
    if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  }
  const seconds = readCount(fields, "retry_after");
  return readCount(fields, "retry_after_ms") ?? (seconds === undefined ? undefined : seconds * 1000);
}

/** The request ID in an object's own members, of an error or an answer. A completion's `id` is none. */
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

/** The request ID that a sentence names: `(request id: 2025...)`, `request_id: req_...`. */
function requestIdIn(text: string): string | undefined {
  return idInText.exec(text.slice(0, 4000))?.[1];
}

/** The sentence without the ID in brackets at its end. */
function withoutRequestId(text: string): string {
  return text.length > 4000 ? text : text.replace(idAtEnd, "").trim();
}

/** Members that only an answer or a model list has. */
const answers = ["choices", "content", "data", "models"];

/** Members that, beside a sentence, mark an error and no greeting. */
const marks = ["code", "status", "statusCode", "status_code", "type", "request_id", "error_code", "param"];

/** Values of such a member that are no mark: it is not there, or says that it went well. */
const noErrorValues: ReadonlySet<unknown> = new Set([undefined, null, 0, 200]);

/**
 * Whether a JSON body that came with a success status is an error nevertheless (wire.md, "a 200
 * with an error body"), and whether an event of a stream is one.
 */
export function isErrorBody(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 1 && isFields(body[0]) && isSignal(body[0]["error"]);
  if (!isFields(body)) return false;
  if (body["type"] === "error" || body["object"] === "error" || isSignal(body["error"])) return true;
  if (isFailedGroup(body["base_resp"])) return true;
  if (answers.some((name) => Array.isArray(body[name]))) return false;
  return isErrorObject(body);
}

/** Those of them that say so in an event too, which has a `type` of its own and is often given a `request_id`. */
const marksOfEvents = ["code", "statusCode", "status_code", "error_code", "param"];

/** Whether an event that its style does not know is an error: many a one has a `message` and is none. */
export function isErrorEvent(event: Fields): boolean {
  const name = readString(event, "type");
  if (name === undefined || /error$/i.test(name) || event["object"] === "error") return isErrorBody(event);
  if (isSignal(event["error"]) || isFailedGroup(event["base_resp"])) return true;
  const sentence = readString(event, "message") ?? readString(event, "detail");
  const isMarkedSo = isMarked(event, marksOfEvents) || readCount(event, "status") !== undefined;
  return sentence !== undefined && isMarkedSo;
}

/** An `error` member that is set: null, false, an empty string and an empty object are not. */
function isSignal(value: unknown): boolean {
  if (isFields(value)) return Object.keys(value).length > 0;
  return value === true || (typeof value === "string" && value.trim() !== "");
}

/** MiniMax's answers of any kind have this group; 0 is its word for success. */
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

/** A code beside a short sentence, which good answers have too: 0 and 200 are fine, and so is a word. */
function isFailedCode(code: unknown): boolean {
  const digits = typeof code === "number" || typeof code === "string" ? String(code) : "";
  return /^-?\d+$/.test(digits) && !["0", "200"].includes(digits);
}

function isMarked(body: Fields, names: readonly string[]): boolean {
  return names.some((name) => !noErrorValues.has(body[name]));
}
