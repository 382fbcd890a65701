import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { refusalBody, Refusal } from "./errorAnswers.ts";
import type { Journal, JournalChange } from "./journal.ts";
import { sayKey, sayKeyInHeader } from "./saidBack.ts";
import { styleOf, type Style } from "./style.ts";

/** One request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly style: Style;
  readonly requestId: string;
  /** The key of the request, if the service repeats keys in its answers. */
  readonly saidKey: string | undefined;
  /** Aborts if the client disconnects before the answer ends. */
  readonly signal: AbortSignal;
  record(change: JournalChange): void;
}

export function createRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`;
}

/** Begins an exchange: creates its request ID, its journal entry and its signal. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  journal: Journal,
  redact: (text: string) => string,
  saysKey = false,
): Exchange {
  const path = (request.url ?? "/").replace(/[?#].*$/su, "");
  const style = styleOf(path, request.headers);
  const requestId = createRequestId();
  const method = request.method ?? "";
  const clean = (text: string): string => redact(withoutPresentedKey(text, request));
  const headerNames = Object.keys(request.headers).map(clean);
  const record = journal.open({ method, path: clean(path), requestId, headerNames });
  setRequestId(response, style, requestId);
  const presented = presentedKey(request);
  const saidKey = saysKey && presented.length >= 8 ? presented : undefined;
  if (saidKey !== undefined) sayInHeaders(response, saidKey, journal.entries.length);
  const signal = watch(response, record);
  return { request, response, method, path, style, requestId, saidKey, signal, record };
}

function presentedKey({ headers }: IncomingMessage): string {
  return (headers.authorization ?? "").replace(/^bearer\s+/iu, "");
}

/** Removes the key of the request from the text, even the key of another service, sent here by mistake. */
function withoutPresentedKey(text: string, request: IncomingMessage): string {
  const presented = presentedKey(request);
  return presented.length < 8 ? text : text.replaceAll(presented, "[key]");
}

/** Puts pieces of the key into the headers that clients show, in other spellings for each request. */
function sayInHeaders(response: ServerResponse, key: string, calls: number): void {
  const said = sayKeyInHeader(key);
  const at = (place: number): string => said[place % said.length] ?? "";
  response.setHeader("x-request-id", `req_${at(calls)}`);
  response.setHeader("request-id", at(calls + 1));
  response.setHeader("server", `gateway/${at(calls + 2)}`);
}

function setRequestId(response: ServerResponse, style: Style, requestId: string): void {
  response.setHeader("x-request-id", requestId);
  if (style === "messages") {
    response.setHeader("request-id", requestId);
  }
}

function watch(response: ServerResponse, record: (change: JournalChange) => void): AbortSignal {
  const controller = new AbortController();
  const start = performance.now();
  response.once("close", () => {
    const state = response.writableFinished ? "finished" : "aborted";
    if (state === "aborted") {
      controller.abort();
    }
    record({ state, milliseconds: performance.now() - start });
  });
  return controller.signal;
}

export function answerJson(exchange: Exchange, status: number, body: object): void {
  const { response } = exchange;
  const text = JSON.stringify(body);
  exchange.record({ status });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

export function answerRefusal(exchange: Exchange, refusal: Refusal): void {
  exchange.record({ refusal: refusal.kind });
  if (refusal.kind === "budget-exhausted") {
    // Waiting does not restore the budget, but clients of both styles would retry a 429.
    exchange.response.setHeader("x-should-retry", "false");
  }
  const said = withSaidKey(refusal, exchange);
  answerJson(exchange, refusal.status, refusalBody(said, exchange.style, exchange.requestId));
}

/** Adds pieces of the key to the refusal, if the service repeats keys. */
export function withSaidKey(refusal: Refusal, { saidKey }: Exchange): Refusal {
  if (saidKey === undefined) return refusal;
  return new Refusal(refusal.kind, `${refusal.message} ${sayKey(saidKey)}`, sayKeyInHeader(saidKey)[0]);
}
