import * as vscode from "vscode";

/**
 * Resolves when this extension has heard of all that was done in the window until now, which may be a while where its
 * host is busy: the window's answer comes behind it. The editor's command `noop` does nothing but answer.
 */
export async function hearWindow(): Promise<void> {
  // To refuse is to answer.
  await vscode.commands.executeCommand("noop").then(undefined, () => undefined);
}
