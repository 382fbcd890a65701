import * as vscode from "vscode";

/** Writes the user's connections, and resolves once the editor says that they changed. */
export async function writeConnections(connections: readonly object[] | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("inference");
  const now = JSON.stringify(configuration.inspect("connections")?.globalValue);
  if (now === JSON.stringify(connections)) return;
  const changed = new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("inference.connections")) return;
      subscription.dispose();
      resolve();
    });
  });
  await configuration.update("connections", connections, vscode.ConfigurationTarget.Global);
  await changed;
}

/** Writes what the user says that models can do. */
export async function writeCapabilities(value: object | undefined): Promise<void> {
  const section = vscode.workspace.getConfiguration("inference");
  await section.update("chat.modelCapabilities", value, vscode.ConfigurationTarget.Global);
}

/** Writes how many tokens a connection may use in a day before the user is asked. */
export async function writeDailyCap(value: number | undefined): Promise<void> {
  const section = vscode.workspace.getConfiguration("inference");
  await section.update("chat.dailyTokenCap", value, vscode.ConfigurationTarget.Global);
}

/** Writes how many tokens an answer may have by the user's word. */
export async function writeMaxTokens(value: number | undefined): Promise<void> {
  const section = vscode.workspace.getConfiguration("inference");
  await section.update("maxTokens", value, vscode.ConfigurationTarget.Global);
}
