import type * as vscode from "vscode";
import { ApiKeyStore } from "./editor/apiKeyStore.ts";
import { ChatEditors } from "./editor/chat/chatEditors.ts";
import { ChatView } from "./editor/chat/chatView.ts";
import type { LoadedChats } from "./editor/chat/loadChats.ts";
import { CheckReports } from "./editor/checkReports.ts";
import { Clients } from "./editor/clients.ts";
import { chatCommands } from "./editor/commands/chatCommands.ts";
import { checkCommands } from "./editor/commands/checkCommands.ts";
import { connectionCommands } from "./editor/commands/connectionCommands.ts";
import { exposedKeyCommands } from "./editor/commands/exposedKeyCommands.ts";
import { historyCommands } from "./editor/commands/historyCommands.ts";
import { modelCommands } from "./editor/commands/modelCommands.ts";
import { registerCommands } from "./editor/commands/registerCommands.ts";
import { ConnectionEditing } from "./editor/connectionEditing.ts";
import { ConnectionHealth } from "./editor/connectionHealth.ts";
import { ConnectionNotices } from "./editor/connectionNotices.ts";
import { ExposedKeyDiagnostics } from "./editor/exposedKeyDiagnostics.ts";
import { ModelCatalog } from "./editor/modelCatalog.ts";
import { OutgoingTexts } from "./editor/outgoingTexts.ts";
import { RequestLog } from "./editor/requestLog.ts";
import { SearchedKeys } from "./editor/searchedKeys.ts";
import { StatusBar } from "./editor/statusBar.ts";
import { WorkspaceBinding } from "./editor/workspaceBinding.ts";
import { WorkspaceConnections } from "./editor/workspaceConnections.ts";

let closeChats: (() => Promise<void>) | undefined;

/** Builds everything and hands it down; registers and returns, nothing is sent. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const connections = own(new WorkspaceConnections(new WorkspaceBinding(context.workspaceState)));
  const keys = new ApiKeyStore(context.secrets, process.env);
  const health = own(new ConnectionHealth());
  const log = own(new RequestLog());
  const reports = own(new CheckReports());
  const userAgent = userAgentOf(context);
  const clients = own(new Clients({ connections, keys, userAgent, onCall: (record) => log.add(record) }));
  const catalog = new ModelCatalog(context.globalState, clients);
  const searchedKeys = new SearchedKeys(connections, keys);
  const exposed = own(new ExposedKeyDiagnostics(searchedKeys));
  const outgoing = new OutgoingTexts(searchedKeys);
  const editing = new ConnectionEditing(connections, keys, health);

  let loading: Promise<LoadedChats> | undefined;
  const load = (): Promise<LoadedChats> => {
    loading ??= import("./editor/chat/loadChats.ts")
      .then((module) => module.loadChats(context, searchedKeys, { connections, clients, health, outgoing }))
      .then(
        (loaded) => {
          own(loaded.chats);
          closeChats = () => loaded.chats.close();
          return loaded;
        },
        (error: unknown) => {
          loading = undefined;
          throw error;
        },
      );
    return loading;
  };
  /** What is written down must not hold a key that was just stored. */
  const readKeys = (): void => void loading?.then(({ knownKeys }) => knownKeys.read()).catch(() => undefined);

  own(
    keys.onDidChange((connectionName) => {
      health.forget(connectionName);
      const connection = connections.named(connectionName);
      if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
      exposed.forgetClosedFiles();
      exposed.searchAgain();
      readKeys();
    }),
  );
  own(
    connections.onDidChange(() => {
      exposed.searchAgain();
      readKeys();
    }),
  );
  own(new StatusBar(connections, health));
  own(new ConnectionNotices(connections));
  const view = own(new ChatView(context.extensionUri, load));
  const editors = own(new ChatEditors(context.extensionUri, load));
  own(
    registerCommands(
      connectionCommands(connections, editing),
      checkCommands({ connections, keys, clients, health, reports }),
      modelCommands({ connections, catalog, clients }),
      exposedKeyCommands({ connections, editing, searchedKeys, exposed }),
      chatCommands({ load, view, editors, log }),
      historyCommands({ load, view, editors }),
    ),
  );
}

/** Waited for by the editor: what has arrived is written down. */
export async function deactivate(): Promise<void> {
  await closeChats?.();
}

/** A plain product name: some gateways refuse callers without one (wire.md, "What the clients send"). */
function userAgentOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return `inference-chat/${typeof version === "string" ? version : "0"}`;
}
