import { readErrorBody } from "../../protocol/decode/errorBody.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { parseJson } from "../../protocol/conversation/json.ts";
import { createEventReader } from "../../protocol/decode/serverSentEvents.ts";
import { startsWithField, decodeText, kindOfText, maxErrorBytes, startOf } from "./body.ts";
import type { BodyKind, Failure } from "../failure/failure.ts";
import { readRequestId } from "./requestId.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Reads an answer that says no: a status of class 3, 4 or 5, or a success status over an error body.
 *
 * @param headers names in lower case
 * @param body its first bytes, whole where it is below `maxErrorBytes`
 * @param nowMs the clock, for dates in headers
 * @param url what was asked, to make a redirect's target absolute
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

/** The error in a text that is JSON, whatever it is labelled, or an event stream, or a sentence. */
function readErrorText(text: string): { readonly kind: BodyKind; readonly error: ErrorBody } {
  const kind = kindOfText(text);
  if (kind === "empty" || kind === "html") return { kind, error: {} };
  const json = parseJson(text);
  if (json !== undefined) return { kind: "json", error: readErrorBody(json) };
  const event = startsWithField(text.trimStart()) ? readErrorEvent(text) : undefined;
  if (event !== undefined) return { kind: "json", error: readErrorBody(event) };
  return { kind: "text", error: readErrorBody(text) };
}

/** The first event that holds JSON. */
function readErrorEvent(text: string): unknown {
  const reader = createEventReader();
  const events = [...reader.feed(new TextEncoder().encode(text)), ...reader.end()];
  return events.map((event) => parseJson(event.data)).find((value) => value !== undefined);
}

/** Who answered: the `server` header, and the marks that proxies leave. */
function serverOf(headers: Headers): string | undefined {
  const names = [headers["server"], "x-squid-error" in headers ? "squid" : undefined];
  const text = names.filter((name) => name !== undefined).join(" ");
  return text === "" ? undefined : text.slice(0, 100);
}

/** Header names in lower case. */

/**
 * How long the server asks to wait, in milliseconds (wire.md, "Waiting"). A time that is negative,
 * past or unreadable is no answer. `nowMs` is the clock where the answer has no `date`.
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

/** The server's own clock, since ours may be wrong. */
function clockOf(headers: Headers, nowMs: number): number {
  const date = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? nowMs : date;
}

function readNumber(text: string | undefined, unitMs: number): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d+(?:\.\d+)?$/.test(trimmed) ? Math.round(Number(trimmed) * unitMs) : undefined;
}

/** An HTTP date (RFC 9110, section 5.6.7) or an RFC 3339 one. */
function readDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || !/[a-z]/i.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return wait > 0 ? wait : undefined;
}

const resetName = /^(?:x-)?(?:anthropic-)?ratelimit-(?:reset-?(.*)|(.*)-reset)$/;

/** The longest reset of a limit of which nothing remains. */
function readResets(headers: Headers, nowMs: number): number | undefined {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    if (!resetName.test(name) || headers[name.replace("reset", "remaining")]?.trim() !== "0") return [];
    return readReset(value, nowMs) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** `1s`, `6m0s`, `120ms`, a number of seconds, a date, or a point in time as Unix time. */
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
