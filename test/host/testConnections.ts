import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { writeSetting } from "./writeSetting.ts";

/**
 * Writes the user's connections; resolves when VS Code reports the change. Selects a single connection for the
 * workspace, because the extension would remember the choice of an earlier test.
 */
export async function writeConnections(
  connections: readonly { readonly name?: unknown; readonly [more: string]: unknown }[] | undefined,
): Promise<void> {
  await writeEntries(connections);
  const [only, ...others] = connections ?? [];
  if (typeof only?.name === "string" && others.length === 0) await useConnection(only.name);
}

/** Selects the connection for the workspace by the command. */
async function useConnection(name: string): Promise<void> {
  const { showQuickPick, showInformationMessage } = vscode.window;
  const pick = async (items: readonly vscode.QuickPickItem[]): Promise<vscode.QuickPickItem | undefined> =>
    items.find(({ label }) => label === name);
  Object.assign(vscode.window, { showQuickPick: pick, showInformationMessage: async () => undefined });
  try {
    await vscode.commands.executeCommand(commandIds.useConnection);
  } finally {
    Object.assign(vscode.window, { showQuickPick, showInformationMessage });
  }
}

/** Writes the user's connections and leaves the workspace's selection, even if that connection no longer exists. */
export async function writeEntries(connections: readonly object[] | undefined): Promise<void> {
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

/** Writes the setting for the capabilities of models. */
export function writeCapabilities(value: object | undefined): Thenable<void> {
  return writeSetting("inference.chat.modelCapabilities", value);
}

/** Writes the daily token cap of connections. */
export function writeDailyCap(value: number | undefined): Thenable<void> {
  return writeSetting("inference.chat.dailyTokenCap", value);
}

/** Writes the token cap of chats. */
export function writeChatCap(value: number | undefined): Thenable<void> {
  return writeSetting("inference.chat.tokenCap", value);
}

/** Writes the token limit of answers. */
export function writeMaxTokens(value: number | undefined): Thenable<void> {
  return writeSetting("inference.maxTokens", value);
}
