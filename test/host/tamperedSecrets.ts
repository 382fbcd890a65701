import type * as vscode from "vscode";

/** Real secret storage with a fault: the given members replace the real ones. */
export function tamper(
  secrets: vscode.SecretStorage,
  fault: Partial<vscode.SecretStorage>,
): vscode.SecretStorage {
  return {
    keys: () => secrets.keys(),
    get: (name) => secrets.get(name),
    store: (name, value) => secrets.store(name, value),
    delete: (name) => secrets.delete(name),
    onDidChange: secrets.onDidChange,
    ...fault,
  };
}
