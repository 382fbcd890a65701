import { readErrorBody } from "../../protocol/decode/errorBody.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { parseJson } from "../../protocol/conversation/json.ts";
import { createEventReader } from "../../protocol/decode/serverSentEvents.ts";
import { startsWithField, decodeText, kindOfText, maxErrorBytes, startOf } from "./body.ts";
import type { BodyKind, Failure } from "../failure/failure.ts";
import { readRequestId } from "./requestId.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Reads a rejection: a 3xx, 4xx or 5xx status, or a success status with an error body.
 *
 * @param headers names in lower case
 * @param body its first bytes, complete if shorter than `maxErrorBytes`
 * @param nowMs the current time, for dates in headers
 * @param url the requested URL, to make the target of a redirect absolute
 */
export function readRefusal(
  status: number,
  headers: Headers,
  body: Uint8Array,
  nowMs: number,
  url?: URL,
): Failure {
  if (status >= 300 && status < 400) return readRedirect(status, headers, url);
  const text = decodeText(body.subarray(0, maxErrorBytes));
  const { kind, error } = readErrorText(text);
  const requestId = readRequestId(headers, error.requestId);
  const retryAfterMs = readRetryAfterMs(headers, status, nowMs) ?? error.retryAfterMs;
  const shouldRetry = readShouldRetry(headers);
  const server = serverOf(headers);
  return {
    kind: "refused",
    status,
    error,
    bodyKind: kind,
    ...(kind === "json" ? {} : startOf(text)),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(shouldRetry === undefined ? {} : { shouldRetry }),
    ...(server === undefined ? {} : { server }),
  };
}

function readShouldRetry(headers: Headers): boolean | undefined {
  const word = headers["x-should-retry"]?.trim().toLowerCase();
  return word === "true" || word === "false" ? word === "true" : undefined;
}

function readRedirect(status: number, headers: Headers, url: URL | undefined): Failure {
  const target = headers["location"];
  const location = target === undefined ? undefined : (URL.parse(target, url?.href)?.href ?? target);
  const requestId = readRequestId(headers);
  return {
    kind: "redirect",
    status,
    ...(location === undefined ? {} : { location }),
    ...(url === undefined ? {} : { origin: url.origin }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Reads the error in a text, regardless of its content type: JSON, an event stream, or a sentence. */
function readErrorText(text: string): { readonly kind: BodyKind; readonly error: ErrorBody } {
  const kind = kindOfText(text);
  if (kind === "empty" || kind === "html") return { kind, error: {} };
  const json = parseJson(text);
  if (json !== undefined) return { kind: "json", error: readErrorBody(json) };
  const event = startsWithField(text.trimStart()) ? readErrorEvent(text) : undefined;
  if (event !== undefined) return { kind: "json", error: readErrorBody(event) };
  return { kind: "text", error: readErrorBody(text) };
}

/** Returns the data of the first event with JSON. */
function readErrorEvent(text: string): unknown {
  const reader = createEventReader();
  const events = [...reader.feed(new TextEncoder().encode(text)), ...reader.end()];
  return events.map((event) => parseJson(event.data)).find((value) => value !== undefined);
}

/** Returns the server that answered, by the `server` header and headers of proxies. */
function serverOf(headers: Headers): string | undefined {
  const names = [headers["server"], "x-squid-error" in headers ? "squid" : undefined];
  const text = names.filter((name) => name !== undefined).join(" ");
  return text === "" ? undefined : text.slice(0, 100);
}

/**
 * Returns the delay that the service asks for, in milliseconds (wire.md, "Waiting"). Ignores negative, past or
 * unreadable times. `nowMs` is used if the answer has no `date` header.
 */
export function readRetryAfterMs(headers: Headers, status: number, nowMs: number): number | undefined {
  return (
    readNumber(headers["retry-after-ms"], 1) ??
    readNumber(headers["x-ms-retry-after-ms"], 1) ??
    readNumber(headers["retry-after"], 1000) ??
    readDate(headers["retry-after"], clockOf(headers, nowMs)) ??
    (status === 429 ? readResets(headers, clockOf(headers, nowMs)) : undefined)
  );
}

/** Returns the time of the server, because the local clock may be wrong. */
function clockOf(headers: Headers, nowMs: number): number {
  const date = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? nowMs : date;
}

function readNumber(text: string | undefined, unitMs: number): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d+(?:\.\d+)?$/.test(trimmed) ? Math.round(Number(trimmed) * unitMs) : undefined;
}

/** Reads an HTTP date (RFC 9110, section 5.6.7) or an RFC 3339 date. Returns milliseconds from now. */
function readDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || !/[a-z]/i.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return wait > 0 ? wait : undefined;
}

const resetName = /^(?:x-)?(?:anthropic-)?ratelimit-(?:reset-?(.*)|(.*)-reset)$/;

/** Returns the longest reset time among the used-up limits, in milliseconds. */
function readResets(headers: Headers, nowMs: number): number | undefined {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    if (!resetName.test(name) || headers[name.replace("reset", "remaining")]?.trim() !== "0") return [];
    return readReset(value, nowMs) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Reads `1s`, `6m0s`, `120ms`, a number of seconds, a date, or a Unix time. Returns milliseconds from now. */
function readReset(text: string, nowMs: number): number | undefined {
  const number = readNumber(text, 1);
  if (number === undefined) return readDuration(text) ?? readDate(text, nowMs);
  if (number < 1e9) return number * 1000;
  const wait = (number < 1e11 ? number * 1000 : number) - nowMs;
  return wait > 0 ? wait : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function readDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(trimmed)) return undefined;
  const pieces = trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return Math.round(
    [...pieces].reduce((sum, [, n, unit]) => sum + Number(n) * (unitsMs[unit ?? ""] ?? 0), 0),
  );
}
