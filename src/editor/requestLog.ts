import * as vscode from "vscode";
import type { CallRecord } from "../client/call.ts";
import { displayCategory } from "../contributions.ts";

/** The log channel: one line a request, nothing of what was said and nothing of the key. */
export class RequestLog implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel(displayCategory, { log: true });

  add(record: CallRecord): void {
    this.#channel.info(formatCallRecord(record));
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/** Method, path, status or failure, request ID, milliseconds, tokens; the channel adds the time. */
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
  ].join(" ");
}
