import type { ErrorBody } from "../conversation/conversation.ts";
import { isFields, readCount, readFields, readList, readString } from "../conversation/fields.ts";
import type { Fields } from "../conversation/fields.ts";

type ErrorFacts = { -readonly [name in keyof ErrorBody]: ErrorBody[name] };

/** Words in the place of a type or code that say no more than that there was an error. */
const emptyWords = /^(?:error|errors|none|null|undefined|unknown|fail(?:ed|ure)?|about:blank|https?:.*)?$/i;

const statusNames = ["status", "statusCode", "status_code", "http_status_code", "http_status", "httpStatus"];

/** The facts that an error object states in members of its own, apart from its sentence. */
export function readErrorFacts(fields: Fields): ErrorBody {
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
export function requestIdIn(text: string): string | undefined {
  return idInText.exec(text.slice(0, 4000))?.[1];
}

/** The sentence without the ID in brackets at its end. */
export function withoutRequestId(text: string): string {
  return text.length > 4000 ? text : text.replace(idAtEnd, "").trim();
}
