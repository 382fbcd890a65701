import * as vscode from "vscode";

/** Writes a user setting; undefined removes it. */
export function writeSetting(name: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}
