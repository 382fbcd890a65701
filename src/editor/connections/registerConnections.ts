import * as vscode from "vscode";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { lazy } from "../shared/lazy.ts";
import { afterStart, type Loading, register, registerCommands } from "../shared/registration.ts";
import type { State } from "../workspace/state.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

export interface ConnectionNeeds {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  readonly searchedKeys: SearchedKeys;
  readonly globalState: State;
}

/** Registers connection commands, links that propose a connection, and notices about connections and keys. */
export function registerConnections(
  context: vscode.ExtensionContext,
  { load }: Loading<ConnectionNeeds>,
): void {
  registerCommands(context, "connections", async () =>
    (await import("./connectionCommands.ts")).connectionCommands(await load()),
  );
  const openLink = lazy(async () => (await import("./connectLinks.ts")).linkOpener(await load()));
  const handleUri = async (uri: vscode.Uri): Promise<void> => (await openLink())(uri);
  register(context, vscode.window.registerUriHandler({ handleUri }));
  afterStart(context, async () => {
    const { connections, keys, globalState } = await load();
    const { ConnectionNotices } = await import("./connectionNotices.ts");
    const { UnusedKeyNotice } = await import("../key/unusedKeyNotice.ts");
    register(context, new ConnectionNotices(connections));
    register(context, new UnusedKeyNotice(keys, globalState));
  });
}
