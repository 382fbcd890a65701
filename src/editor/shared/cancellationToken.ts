import * as vscode from "vscode";

/** Converts an abort signal to VS Code's token. Dispose it when the work is done. */
export function toCancellationToken(signal: AbortSignal): {
  readonly token: vscode.CancellationToken;
  readonly dispose: () => void;
} {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel);
  const dispose = (): void => {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  };
  return { token: source.token, dispose };
}
