import * as vscode from "vscode";

export interface CompanionStores {
  readonly secrets: vscode.SecretStorage;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  /** `vscode.extensions` as the companion has it: a stranger to our extension. */
  readonly extensions: typeof vscode.extensions;
  /** `vscode.lm` as the companion has it: a stranger to our extension. */
  readonly languageModels: typeof vscode.lm;
  /** `vscode.commands` as the companion has it: a stranger to our extension. */
  readonly commands: typeof vscode.commands;
}

/** The real stores of the companion extension, which the test run loads beside ours. */
export async function companionStores(): Promise<CompanionStores> {
  const companion = vscode.extensions.getExtension<CompanionStores>("inference-chat-test.companion");
  if (companion === undefined) throw new Error("The companion extension is not loaded.");
  return companion.activate();
}
