import type { ErrorBody } from "../conversation/conversation.ts";
import { readErrorFacts, requestIdIn, withoutRequestId } from "./errorFacts.ts";
import { isFields, parseJson, readFields, readString } from "../conversation/fields.ts";
import type { Fields } from "../conversation/fields.ts";

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
  const saysNothing = body.message === undefined || /^provider returned error\b/i.test(body.message);
  return { ...upstream, ...body, ...(saysNothing && upstream.message ? { message: upstream.message } : {}) };
}
