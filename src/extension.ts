import type * as vscode from "vscode";
import { ApiKeyStore } from "./editor/apiKeyStore.ts";
import type { ChatPanel } from "./editor/chatPanel.ts";
import { ChatView } from "./editor/chatView.ts";
import type { CodeBlockActions } from "./editor/codeBlockActions.ts";
import { CheckReports } from "./editor/checkReports.ts";
import { Clients } from "./editor/clients.ts";
import { chatCommands } from "./editor/commands/chatCommands.ts";
import { checkCommands } from "./editor/commands/checkCommands.ts";
import { connectionCommands } from "./editor/commands/connectionCommands.ts";
import { exposedKeyCommands } from "./editor/commands/exposedKeyCommands.ts";
import { modelCommands } from "./editor/commands/modelCommands.ts";
import { proposalCommands } from "./editor/commands/proposalCommands.ts";
import { registerCommands } from "./editor/commands/registerCommands.ts";
import { ConnectionEditing } from "./editor/connectionEditing.ts";
import { ConnectionHealth } from "./editor/connectionHealth.ts";
import { ConnectionNotices } from "./editor/connectionNotices.ts";
import { ExposedKeyDiagnostics } from "./editor/exposedKeyDiagnostics.ts";
import { LastTextEditor } from "./editor/lastTextEditor.ts";
import { ModelCatalog } from "./editor/modelCatalog.ts";
import { OutgoingTexts } from "./editor/outgoingTexts.ts";
import { RequestLog } from "./editor/requestLog.ts";
import { SearchedKeys } from "./editor/searchedKeys.ts";
import { StatusBar } from "./editor/statusBar.ts";
import { WorkspaceBinding } from "./editor/workspaceBinding.ts";
import { WorkspaceConnections } from "./editor/workspaceConnections.ts";

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

  const lastTextEditor = own(new LastTextEditor());
  let codeActions: Promise<CodeBlockActions> | undefined;
  const loadCodeActions = (): Promise<CodeBlockActions> => {
    codeActions ??= import("./editor/codeBlockActions.ts").then((module) =>
      own(new module.CodeBlockActions(lastTextEditor)),
    );
    return codeActions;
  };
  let panel: Promise<ChatPanel> | undefined;
  const loadPanel = (): Promise<ChatPanel> => {
    panel ??= import("./editor/chatPanel.ts").then(
      (module) => own(new module.ChatPanel({ connections, clients, health, outgoing, loadCodeActions })),
      (error: unknown) => {
        panel = undefined;
        throw error;
      },
    );
    return panel;
  };

  own(
    keys.onDidChange((connectionName) => {
      health.forget(connectionName);
      const connection = connections.named(connectionName);
      if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
      exposed.forgetClosedFiles();
      exposed.searchAgain();
    }),
  );
  own(connections.onDidChange(() => exposed.searchAgain()));
  own(new StatusBar(connections, health));
  own(new ConnectionNotices(connections));
  own(new ChatView(context.extensionUri, loadPanel));
  own(
    registerCommands(
      connectionCommands(connections, editing),
      checkCommands({ connections, keys, clients, health, reports }),
      modelCommands({ connections, catalog, clients }),
      exposedKeyCommands({ connections, editing, searchedKeys, exposed }),
      chatCommands(loadPanel, log),
      proposalCommands(async () => (await loadCodeActions()).proposals),
    ),
  );
}

/** A plain product name: some gateways refuse callers without one (wire.md, "What the clients send"). */
function userAgentOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return `inference-chat/${typeof version === "string" ? version : "0"}`;
}
