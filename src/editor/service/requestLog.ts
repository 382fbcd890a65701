import * as vscode from "vscode";
import type { CallRecord } from "../../client/request/call.ts";
import { productName } from "../../contributions.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";

/** A request, with its model and client style. */
export interface LoggedCall {
  readonly record: CallRecord;
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

/** The log channel: one line per request, without text of the conversation and without the key. */
export class RequestLog implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel(productName, { log: true });
  readonly #last = new Map<string, LoggedCall>();
  readonly #lastFailed = new Map<string, LoggedCall>();

  add(connectionName: string, call: LoggedCall): void {
    this.#channel.info(formatCallRecord(call.record));
    this.#last.set(connectionName, call);
    const { failure } = call.record;
    if (failure !== undefined && failure !== "cancelled") this.#lastFailed.set(connectionName, call);
  }

  /** Adds a line, which must not contain text of a conversation. */
  note(line: string): void {
    this.#channel.info(line);
  }

  /** The newest request of a connection in this window. */
  last(connectionName: string): LoggedCall | undefined {
    return this.#last.get(connectionName);
  }

  /** The newest failed request of a connection in this window. Canceled requests do not count. */
  lastFailed(connectionName: string): LoggedCall | undefined {
    return this.#lastFailed.get(connectionName);
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/** Method, path, status or failure, request ID, milliseconds, and tokens. The channel adds the time. */
function formatCallRecord(record: CallRecord): string {
  const { method, path, status, failure, requestId, milliseconds, usage } = record;
  return [
    method,
    path,
    status ?? "-",
    ...(failure === undefined ? [] : [failure]),
    `request-id=${requestId ?? "-"}`,
    `${Math.round(milliseconds)} ms`,
    `tokens=${usage?.inputTokens ?? "-"}/${usage?.outputTokens ?? "-"}`,
    ...(usage?.cacheReadTokens === undefined ? [] : [`cache-read=${usage.cacheReadTokens}`]),
    ...(usage?.cacheWriteTokens === undefined ? [] : [`cache-written=${usage.cacheWriteTokens}`]),
  ].join(" ");
}
