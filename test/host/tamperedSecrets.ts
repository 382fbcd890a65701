import type * as vscode from "vscode";

/** A real secret store with a fault: what is given here happens in the place of what it would do. */
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
