import * as vscode from "vscode";

export interface CompanionStores {
  readonly secrets: vscode.SecretStorage;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  /** `vscode.extensions` as another extension sees it. */
  readonly extensions: typeof vscode.extensions;
  /** `vscode.lm` as another extension sees it. */
  readonly languageModels: typeof vscode.lm;
  /** `vscode.commands` as another extension sees it. */
  readonly commands: typeof vscode.commands;
}

/**
 * Returns the real stores of the companion extension, which the test run loads beside ours.
 * @throws Error if the companion is not loaded
 */
export async function companionStores(): Promise<CompanionStores> {
  const companion = vscode.extensions.getExtension<CompanionStores>("inference-chat-test.companion");
  if (companion === undefined) throw new Error("The companion extension is not loaded.");
  return companion.activate();
}
