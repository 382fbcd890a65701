import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { writeSetting } from "./writeSetting.ts";

/**
 * Writes the user's connections, and resolves once the editor says that they changed. The workspace uses one that is
 * the only one, whatever an earlier test used: the extension keeps that choice.
 */
export async function writeConnections(
  connections: readonly { readonly name?: unknown; readonly [more: string]: unknown }[] | undefined,
): Promise<void> {
  await writeEntries(connections);
  const [only, ...others] = connections ?? [];
  if (typeof only?.name === "string" && others.length === 0) await useConnection(only.name);
}

/** Chooses the connection for the workspace, by the command. */
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

/** The same, and leaves the workspace with the connection that it has, even where that one is gone. */
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

/** Writes what the user says that models can do. */
export function writeCapabilities(value: object | undefined): Thenable<void> {
  return writeSetting("inference.chat.modelCapabilities", value);
}

/** Writes how many tokens a connection may use in a day before the user is asked. */
export function writeDailyCap(value: number | undefined): Thenable<void> {
  return writeSetting("inference.chat.dailyTokenCap", value);
}

/** Writes how many tokens a chat may use before the user is asked. */
export function writeChatCap(value: number | undefined): Thenable<void> {
  return writeSetting("inference.chat.tokenCap", value);
}

/** Writes how many tokens an answer may have by the user's word. */
export function writeMaxTokens(value: number | undefined): Thenable<void> {
  return writeSetting("inference.maxTokens", value);
}
