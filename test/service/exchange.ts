import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { refusalBody, type Refusal } from "./errorAnswers.ts";
import type { Journal, JournalChange } from "./journal.ts";
import { styleOf, type Style } from "./style.ts";

/** One call and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly style: Style;
  readonly requestId: string;
  /** Aborted when the client leaves before the answer's end. */
  readonly signal: AbortSignal;
  record(change: JournalChange): void;
}

export function createRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`;
}

/** Begins an exchange: gives it its ID, its place in the journal and its signal. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  journal: Journal,
  redact: (text: string) => string,
): Exchange {
  const path = (request.url ?? "/").replace(/[?#].*$/su, "");
  const style = styleOf(path, request.headers);
  const requestId = createRequestId();
  const method = request.method ?? "";
  const clean = (text: string): string => redact(withoutPresentedKey(text, request));
  const headerNames = Object.keys(request.headers).map(clean);
  const record = journal.open({ method, path: clean(path), requestId, headerNames });
  setRequestId(response, style, requestId);
  return { request, response, method, path, style, requestId, signal: watch(response, record), record };
}

/** A key of another service, sent here by mistake, stays out of the journal too. */
function withoutPresentedKey(text: string, { headers }: IncomingMessage): string {
  const presented = (headers.authorization ?? "").replace(/^bearer\s+/iu, "");
  return presented.length < 8 ? text : text.replaceAll(presented, "[key]");
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
    // Waiting brings no budget back; clients of both styles would try a 429 again.
    exchange.response.setHeader("x-should-retry", "false");
  }
  answerJson(exchange, refusal.status, refusalBody(refusal, exchange.style, exchange.requestId));
}
