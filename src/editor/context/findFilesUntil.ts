import * as vscode from "vscode";

/** The editor's own search for files, which ends with the signal: what was found by then may be all or a part. */
export async function findFilesUntil(
  signal: AbortSignal,
  include: vscode.GlobPattern,
  exclude: string | undefined,
  most: number,
): Promise<readonly vscode.Uri[]> {
  const stopping = new vscode.CancellationTokenSource();
  const stop = (): void => stopping.cancel();
  signal.addEventListener("abort", stop);
  try {
    return await vscode.workspace.findFiles(include, exclude, most, stopping.token);
  } finally {
    signal.removeEventListener("abort", stop);
    stopping.dispose();
  }
}
