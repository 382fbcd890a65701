import type * as vscode from "vscode";
import type { CallRecord } from "./client/call.ts";
import type { Connection } from "./connection/connection.ts";
import { ApiKeyStore } from "./editor/apiKeyStore.ts";
import { ChatEditors } from "./editor/chat/chatEditors.ts";
import { ChatView } from "./editor/chat/chatView.ts";
import type { LoadedChats } from "./editor/chat/loadChats.ts";
import type { CodeBlockActions } from "./editor/codeBlockActions.ts";
import { CheckConsents } from "./editor/checkConsents.ts";
import { CheckRuns } from "./editor/checkRuns.ts";
import { Clients } from "./editor/clients.ts";
import { ModelRooms, type ModelRoomsOptions } from "./editor/context/modelRooms.ts";
import { chatCommands } from "./editor/commands/chatCommands.ts";
import { compatibilityCommands } from "./editor/commands/compatibilityCommands.ts";
import { checkCommands } from "./editor/commands/checkCommands.ts";
import { contextCommands } from "./editor/commands/contextCommands.ts";
import { connectionCommands } from "./editor/commands/connectionCommands.ts";
import { exposedKeyCommands } from "./editor/commands/exposedKeyCommands.ts";
import { historyCommands } from "./editor/commands/historyCommands.ts";
import { modelCommands } from "./editor/commands/modelCommands.ts";
import { proposalCommands } from "./editor/commands/proposalCommands.ts";
import { registerCommands } from "./editor/commands/registerCommands.ts";
import { CompatibilityStore } from "./editor/compatibilityStore.ts";
import { ConnectionEditing } from "./editor/connectionEditing.ts";
import { ConnectionHealth } from "./editor/connectionHealth.ts";
import { ConnectionTerms } from "./editor/connectionTerms.ts";
import { ConnectionNotices } from "./editor/connectionNotices.ts";
import { ConnectionWorkspaces } from "./editor/connectionWorkspaces.ts";
import { ExposedKeyDiagnostics } from "./editor/exposedKeyDiagnostics.ts";
import { languageModelCommands } from "./editor/languageModels/languageModelCommands.ts";
import { registerLanguageModels } from "./editor/languageModels/registerLanguageModels.ts";
import { LastTextEditor } from "./editor/lastTextEditor.ts";
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

let closeChats: (() => Promise<void>) | undefined;

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
    const { model = connections.modelFor(connection), clientStyle = connections.clientStyleFor(connection) } =
      record;
    log.add(connection.name, { record, model, clientStyle });
  };
  const compatibility = new CompatibilityStore(context.globalState);
  const clients = own(new Clients({ connections, keys, health, userAgent, onCall, memory: compatibility }));
  const catalog = own(new ModelCatalog(context.globalState, clients));
  const imageState: ModelRoomsOptions["imageState"] = (asked) => compatibility.stateOf(asked, "image");
  const rooms = own(new ModelRooms({ state: context.globalState, catalog, imageState }));
  const searchedKeys = new SearchedKeys(connections, keys);
  const exposed = own(new ExposedKeyDiagnostics(searchedKeys));
  const outgoing = new OutgoingTexts(searchedKeys);
  const languageModels = {
    connections,
    keys,
    clients,
    catalog,
    compatibility,
    rooms,
    health,
    outgoing,
    log,
    state: context.globalState,
  };
  own(registerLanguageModels(languageModels));
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

  const lastTextEditor = own(new LastTextEditor());
  let codeActions: Promise<CodeBlockActions> | undefined;
  const loadCodeActions = (): Promise<CodeBlockActions> => {
    codeActions ??= import("./editor/codeBlockActions.ts").then((module) =>
      own(new module.CodeBlockActions(lastTextEditor)),
    );
    return codeActions;
  };
  let loading: Promise<LoadedChats> | undefined;
  const load = (): Promise<LoadedChats> => {
    loading ??= import("./editor/chat/loadChats.ts")
      .then((module) =>
        module.loadChats(context, searchedKeys, {
          connections,
          clients,
          health,
          outgoing,
          rooms,
          loadCodeActions,
        }),
      )
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

  const renewed = (connectionName: string): void => {
    health.forget(connectionName);
    const connection = connections.named(connectionName);
    if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
    exposed.forgetClosedFiles();
    exposed.searchAgain();
    readKeys();
  };
  own(keys.onDidChange(renewed));
  own(connections.onDidMove(renewed));
  own(
    connections.onDidChange(() => {
      exposed.searchAgain();
      readKeys();
    }),
  );
  own(new StatusBar(connections, health));
  own(new ConnectionNotices(connections));
  own(new OrphanKeyWatch(connections, keys, context.globalState));
  const view = own(new ChatView(context.extensionUri, load));
  const editors = own(new ChatEditors(context.extensionUri, load));
  own(
    registerCommands(
      compatibilityCommands({ connections, keys, clients, health, compatibility, pages }),
      connectionCommands({ connections, editing, terms }),
      checkCommands(connections, runs, supportReports),
      modelCommands({ connections, catalog, clients }),
      exposedKeyCommands({ connections, editing, searchedKeys, exposed, check }),
      chatCommands({ load, view, editors, log }),
      historyCommands({ load, view, editors }),
      proposalCommands(async () => (await loadCodeActions()).proposals),
      contextCommands({ load, view }),
      languageModelCommands(languageModels),
    ),
  );
}

/** Waited for by the editor: what has arrived is written down. */
export async function deactivate(): Promise<void> {
  await closeChats?.();
}

function versionOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return typeof version === "string" ? version : "0";
}
