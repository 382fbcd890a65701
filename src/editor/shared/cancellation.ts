import type * as vscode from "vscode";

/** The editor's cancellation as the standard's; below the editor layer there is only the latter. */
export function toAbortSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
