import { readErrorBody } from "../../protocol/decode/errorBody.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { parseJson } from "../../protocol/conversation/json.ts";
import { createEventReader } from "../../protocol/decode/serverSentEvents.ts";
import { startsWithField } from "./answerKind.ts";
import { decodeText, kindOfText, maxErrorBytes, startOf } from "./body.ts";
import type { BodyKind, Failure } from "../failure/failure.ts";
import { readRequestId } from "./requestId.ts";
import { readRetryAfterMs } from "../failure/retryAfter.ts";

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
