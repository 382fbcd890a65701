import type * as vscode from "vscode";
import type { CallRecord } from "./client/request/call.ts";
import type { Connection } from "./connection/setup/connection.ts";
import type { LoadedChats } from "./editor/chat/chats.ts";
import { Spending, TokenCaps } from "./editor/chat/spending.ts";
import type { CodeBlockActions } from "./editor/edits/codeBlockActions.ts";
import { ApiKeyStore } from "./editor/key/apiKeyStore.ts";
import { takesImages } from "./editor/languageModels/modelCapabilities.ts";
import { ModelCatalog } from "./editor/models/modelCatalog.ts";
import { ModelLimitStore } from "./editor/models/modelLimitStore.ts";
import { ChatEditors } from "./editor/page/chatEditors.ts";
import { ChatView } from "./editor/page/chatView.ts";
import { Clients, refusedImageText } from "./editor/service/clients.ts";
import { CompatibilityStore } from "./editor/service/compatibilityStore.ts";
import type { ConnectionHealth } from "./editor/service/connectionHealth.ts";
import { OutgoingTexts } from "./editor/service/outgoingTexts.ts";
import { RequestLog } from "./editor/service/requestLog.ts";
import { SearchedKeys } from "./editor/service/searchedKeys.ts";
import type { LastTextEditor } from "./editor/shared/lastTextEditor.ts";
import { lazy } from "./editor/shared/lazy.ts";
import { register } from "./editor/shared/registration.ts";
import { GettingStarted } from "./editor/statusBar/gettingStarted.ts";
import type { SerializedMemento } from "./editor/workspace/state.ts";
import type { WorkspaceConnections } from "./editor/workspace/workspaceConnections.ts";

/** The group that is there from the start. */
export interface Foundation {
  /** For all windows. */
  readonly globalState: SerializedMemento;
  readonly connections: WorkspaceConnections;
  readonly health: ConnectionHealth;
  readonly lastTextEditor: LastTextEditor;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  /** Fires when a list of models was had or forgotten, or the workspace uses something else. */
  readonly modelsChanged: vscode.EventEmitter<void>;
}

/** All that rooms need, built when one of them is first used: the three groups in one. */
export function createServices(context: vscode.ExtensionContext, foundation: Foundation) {
  const requests = createRequestServices(context, foundation);
  return { ...requests, ...createChatServices(context, requests) };
}

/** The group of all that speaks to services, or for a service: keys, clients, models. */
function createRequestServices(context: vscode.ExtensionContext, foundation: Foundation) {
  const { globalState, connections, health, modelsChanged } = foundation;
  const environment = process.env;
  const keys = register(context, new ApiKeyStore(context.secrets, environment, globalState));
  const log = register(context, new RequestLog());
  const compatibility = new CompatibilityStore(globalState, undefined, refusedImageText);
  const extensionVersion = versionOf(context);
  const clients = register(
    context,
    new Clients({
      connections,
      keys,
      health,
      // A plain product name: some gateways refuse callers without one (wire.md, "What the clients send").
      userAgent: `inference-chat/${extensionVersion}`,
      onCall: (record: CallRecord, connection: Connection) => {
        const { model = connections.modelFor(connection) } = record;
        const { clientStyle = connections.clientStyleFor(connection) } = record;
        log.add(connection.name, { record, model, clientStyle });
      },
      memory: compatibility,
    }),
  );
  const catalog = register(context, new ModelCatalog(globalState, clients, connections));
  const limits = register(
    context,
    new ModelLimitStore({
      state: globalState,
      catalog,
      takesImages: (asked) => takesImages(compatibility, asked),
    }),
  );
  const searchedKeys = new SearchedKeys(connections, keys);
  const started = register(
    context,
    new GettingStarted({ connections, keys, state: globalState, environment }),
  );
  const renewed = (connectionName: string): void => {
    health.forget(connectionName);
    const connection = connections.named(connectionName);
    if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
  };
  context.subscriptions.push(
    catalog.onDidChange(() => modelsChanged.fire()),
    keys.onDidChange(renewed),
    keys.onDidAnswerAfterTimeout((connectionName) => health.outdate(connectionName)),
    connections.onDidMove(renewed),
  );
  return {
    ...foundation,
    keys,
    log,
    compatibility,
    extensionVersion,
    clients,
    catalog,
    limits,
    searchedKeys,
    outgoing: new OutgoingTexts(searchedKeys),
    started,
    onPassed: () => started.done("checkPassed"),
  };
}

/** The group of the chats, and where they are shown. */
function createChatServices(
  context: vscode.ExtensionContext,
  requests: ReturnType<typeof createRequestServices>,
) {
  const { globalState, connections, keys, searchedKeys, started } = requests;
  const spending = new Spending(globalState, () => new Date());
  // One for all that asks: what the user has allowed at one place is allowed at all.
  const caps = new TokenCaps(spending);
  const onAnswered = (): void => started.done("hasChatted");
  const loadStore = lazy(async () => (await import("./editor/chat/openStore.ts")).openStore(context));
  const loadOnce = lazy(async () => {
    const [{ loadChats: read }, store] = await Promise.all([import("./editor/chat/chats.ts"), loadStore()]);
    const loaded = await read(context, searchedKeys, { ...requests, spending, caps, store, onAnswered });
    register(context, loaded.chats);
    return loaded;
  });
  let loading: Promise<LoadedChats> | undefined;
  const loadChats = (): Promise<LoadedChats> => (loading = loadOnce());
  /** What is written down must not hold a key that was just stored. */
  const readKeys = (): void => void loading?.then((loaded) => loaded.readKeys()).catch(() => undefined);
  context.subscriptions.push(
    keys.onDidChange(readKeys),
    keys.onDidAnswerAfterTimeout(readKeys),
    connections.onDidMove(readKeys),
    connections.onDidChange(readKeys),
  );
  return {
    spending,
    caps,
    loadStore,
    loadChats,
    view: register(context, new ChatView(context.extensionUri, loadChats)),
    editors: register(context, new ChatEditors(context.extensionUri, loadChats)),
    /** Writes down what has arrived in the chats, and what else is not written yet. */
    close: async (): Promise<void> => {
      const loaded = await loading?.catch(() => undefined);
      await loaded?.chats.close();
      await globalState.written();
    },
  };
}

function versionOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return typeof version === "string" ? version : "0";
}
