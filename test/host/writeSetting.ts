import * as vscode from "vscode";

/** Writes one of the user's settings; undefined takes it out. */
export function writeSetting(name: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}
