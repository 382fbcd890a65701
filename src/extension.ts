import type * as vscode from "vscode";
import type { CallRecord } from "./client/call.ts";
import type { Connection } from "./connection/connection.ts";
import { ApiKeyStore } from "./editor/apiKeyStore.ts";
import type { ChatPanel } from "./editor/chatPanel.ts";
import { ChatView } from "./editor/chatView.ts";
import { CheckConsents } from "./editor/checkConsents.ts";
import { CheckRuns } from "./editor/checkRuns.ts";
import { Clients } from "./editor/clients.ts";
import { chatCommands } from "./editor/commands/chatCommands.ts";
import { compatibilityCommands } from "./editor/commands/compatibilityCommands.ts";
import { checkCommands } from "./editor/commands/checkCommands.ts";
import { connectionCommands } from "./editor/commands/connectionCommands.ts";
import { exposedKeyCommands } from "./editor/commands/exposedKeyCommands.ts";
import { modelCommands } from "./editor/commands/modelCommands.ts";
import { registerCommands } from "./editor/commands/registerCommands.ts";
import { CompatibilityStore } from "./editor/compatibilityStore.ts";
import { ConnectionEditing } from "./editor/connectionEditing.ts";
import { ConnectionHealth } from "./editor/connectionHealth.ts";
import { ConnectionTerms } from "./editor/connectionTerms.ts";
import { ConnectionNotices } from "./editor/connectionNotices.ts";
import { ConnectionWorkspaces } from "./editor/connectionWorkspaces.ts";
import { ExposedKeyDiagnostics } from "./editor/exposedKeyDiagnostics.ts";
import { ModelCatalog } from "./editor/modelCatalog.ts";
import { OrphanKeyWatch } from "./editor/orphanKeyWatch.ts";
import { OutgoingTexts } from "./editor/outgoingTexts.ts";
import { ReportPanels } from "./editor/reportPanel.ts";
import { RequestLog } from "./editor/requestLog.ts";
import { SearchedKeys } from "./editor/searchedKeys.ts";
import { StatusBar } from "./editor/statusBar.ts";
import { SupportReports } from "./editor/supportReports.ts";
import { WorkspaceBinding } from "./editor/workspaceBinding.ts";
import { WorkspaceConnections } from "./editor/workspaceConnections.ts";

/** Builds everything and hands it down; registers and returns, nothing is sent. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const connections = own(
    new WorkspaceConnections(
      new WorkspaceBinding(context.workspaceState),
      new ConnectionWorkspaces(context.globalState),
    ),
  );
  const keys = own(new ApiKeyStore(context.secrets, process.env, context.globalState));
  const health = own(new ConnectionHealth());
  const log = own(new RequestLog());
  const extensionVersion = versionOf(context);
  // A plain product name: some gateways refuse callers without one (wire.md, "What the clients send").
  const userAgent = `inference-chat/${extensionVersion}`;
  const onCall = (record: CallRecord, connection: Connection): void => {
    const model = connections.modelFor(connection);
    log.add(connection.name, { record, model, clientStyle: connections.clientStyleFor(connection) });
  };
  const compatibility = new CompatibilityStore(context.globalState);
  const clients = own(new Clients({ connections, keys, health, userAgent, onCall, memory: compatibility }));
  const catalog = new ModelCatalog(context.globalState, clients);
  const searchedKeys = new SearchedKeys(connections, keys);
  const exposed = own(new ExposedKeyDiagnostics(searchedKeys));
  const outgoing = new OutgoingTexts(searchedKeys);
  const pages = own(new ReportPanels(context.extensionUri));
  const consents = own(new CheckConsents(context.globalState, connections));
  const runs = new CheckRuns({ connections, keys, clients, health, consents, pages });
  const supportReports = own(
    new SupportReports({ connections, clients, runs, log, searchedKeys, extensionVersion }),
  );
  const editing = new ConnectionEditing(connections, keys);
  const terms = new ConnectionTerms({ connections, keys, editing });
  const check = async (connection: Connection, signal: AbortSignal) =>
    (await runs.run(connection, true, signal)).result;

  let panel: Promise<ChatPanel> | undefined;
  const loadPanel = (): Promise<ChatPanel> => {
    panel ??= import("./editor/chatPanel.ts").then(
      (module) => own(new module.ChatPanel({ connections, clients, health, outgoing })),
      (error: unknown) => {
        panel = undefined;
        throw error;
      },
    );
    return panel;
  };

  const renewed = (connectionName: string): void => {
    health.forget(connectionName);
    const connection = connections.named(connectionName);
    if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
    exposed.forgetClosedFiles();
    exposed.searchAgain();
  };
  own(keys.onDidChange(renewed));
  own(connections.onDidMove(renewed));
  own(connections.onDidChange(() => exposed.searchAgain()));
  own(new StatusBar(connections, health));
  own(new ConnectionNotices(connections));
  own(new OrphanKeyWatch(connections, keys, context.globalState));
  own(new ChatView(context.extensionUri, loadPanel));
  own(
    registerCommands(
      compatibilityCommands({ connections, keys, clients, health, compatibility, pages }),
      connectionCommands({ connections, editing, terms }),
      checkCommands(connections, runs, supportReports),
      modelCommands({ connections, catalog, clients }),
      exposedKeyCommands({ connections, editing, searchedKeys, exposed, check }),
      chatCommands(loadPanel, log),
    ),
  );
}

function versionOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return typeof version === "string" ? version : "0";
}
