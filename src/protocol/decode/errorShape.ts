import { isFields, readCount, readList, readString } from "../conversation/fields.ts";
import type { Fields } from "../conversation/fields.ts";

/** Members that only an answer or a model list has. */
const answers = ["choices", "content", "data", "models"];

/** Members that, beside a sentence, mark an error and no greeting. */
const marks = ["code", "status", "statusCode", "status_code", "type", "request_id", "error_code", "param"];

/** Values of such a member that are no mark: it is not there, or says that it went well. */
const saysNothing: ReadonlySet<unknown> = new Set([undefined, null, 0, 200]);

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
  return saysError(body);
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

function saysError(body: Fields): boolean {
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
  return names.some((name) => !saysNothing.has(body[name]));
}
