import * as vscode from "vscode";
import { contextKeys } from "../../contributions.ts";

/** Tells the editor whether the git extension runs where this one does; in another extension host nobody reaches it. */
export class GitPresence implements vscode.Disposable {
  readonly #subscription = vscode.extensions.onDidChange(() => tell());

  constructor() {
    tell();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function tell(): void {
  const isLacking = vscode.extensions.getExtension("vscode.git") === undefined;
  vscode.commands
    .executeCommand("setContext", contextKeys.lacksGit, isLacking)
    .then(undefined, () => undefined);
}
