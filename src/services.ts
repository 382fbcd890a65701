import type * as vscode from "vscode";
import type { LoadedChats } from "./editor/chat/chats.ts";
import { Spending, TokenCaps } from "./editor/chat/spending.ts";
import type { CodeBlockActions } from "./editor/edits/codeBlockActions.ts";
import { ApiKeyStore } from "./editor/key/apiKeyStore.ts";
import { takenBy } from "./editor/service/modelCapabilities.ts";
import { ModelCatalog } from "./editor/models/modelCatalog.ts";
import { ModelEfforts } from "./editor/models/modelEfforts.ts";
import { ModelLimitStore } from "./editor/models/modelLimitStore.ts";
import { Attention } from "./editor/page/attention.ts";
import { ChatEditors } from "./editor/page/chatEditors.ts";
import { ChatView } from "./editor/page/chatView.ts";
import { Clients, refusedImageText } from "./editor/service/clients.ts";
import { CompatibilityStore } from "./editor/service/compatibilityStore.ts";
import type { ConnectionHealth } from "./editor/service/connectionHealth.ts";
import { OutgoingTexts } from "./editor/service/outgoingTexts.ts";
import { RequestLog } from "./editor/service/requestLog.ts";
import { RequestFields } from "./editor/service/requestFields.ts";
import { RequestRecorder } from "./editor/service/requestRecorder.ts";
import { SearchedKeys } from "./editor/service/searchedKeys.ts";
import type { LastTextEditor } from "./editor/shared/lastTextEditor.ts";
import { lazy } from "./editor/shared/lazy.ts";
import { register } from "./editor/shared/registration.ts";
import { GettingStarted } from "./editor/statusBar/gettingStarted.ts";
import type { SerializedMemento } from "./editor/workspace/state.ts";
import type { WorkspaceConnections } from "./editor/workspace/workspaceConnections.ts";

/** Services that exist from activation on. */
export interface Foundation {
  /** State shared by all windows. */
  readonly globalState: SerializedMemento;
  /** State of this workspace. Share this instance, which loses no write. */
  readonly workspaceState: SerializedMemento;
  readonly connections: WorkspaceConnections;
  readonly health: ConnectionHealth;
  readonly lastTextEditor: LastTextEditor;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  /** Fires when a model list was loaded or discarded, or the workspace selects another connection or model. */
  readonly modelsChanged: vscode.EventEmitter<void>;
}

/** Creates the services that do not exist from activation on. Returns all services. */
export function createServices(context: vscode.ExtensionContext, foundation: Foundation) {
  const requests = createRequestServices(context, foundation);
  return { ...requests, ...createChatServices(context, requests) };
}

/** Creates everything for requests: keys, clients, models. */
function createRequestServices(context: vscode.ExtensionContext, foundation: Foundation) {
  const { globalState, connections, health, modelsChanged } = foundation;
  const environment = process.env;
  const keys = register(context, new ApiKeyStore(context.secrets, environment, globalState));
  const log = register(context, new RequestLog());
  const recorder = register(context, new RequestRecorder(context));
  const compatibility = new CompatibilityStore(globalState, undefined, refusedImageText);
  const extensionVersion = versionOf(context);
  const clients = register(
    context,
    new Clients({
      connections,
      keys,
      health,
      // A plain product name, because some gateways reject clients without one (wire.md, "What the clients send").
      userAgent: `inference-chat/${extensionVersion}`,
      onCall: (record, sender) => {
        const { connection } = sender;
        const { model = connections.modelFor(connection) } = record;
        const { clientStyle = connections.clientStyleFor(connection) } = record;
        log.add(connection.name, { record, model, clientStyle });
        recorder.add(record, sender);
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
      taken: (asked) => takenBy(compatibility, asked),
    }),
  );
  const efforts = register(context, new ModelEfforts({ state: globalState, catalog, compatibility }));
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
    recorder,
    compatibility,
    extensionVersion,
    clients,
    catalog,
    limits,
    efforts,
    searchedKeys,
    requestFields: new RequestFields(searchedKeys),
    outgoing: new OutgoingTexts(searchedKeys),
    started,
    onPassed: () => started.done("checkPassed"),
  };
}

/** Creates the chats and their views. */
function createChatServices(
  context: vscode.ExtensionContext,
  requests: ReturnType<typeof createRequestServices>,
) {
  const { globalState, workspaceState, connections, keys, recorder, searchedKeys, started } = requests;
  const spending = new Spending(globalState, () => new Date());
  // Share one instance, so that a permission of the user applies everywhere.
  const caps = new TokenCaps(spending);
  const onAnswered = (): void => started.done("hasChatted");
  const view = register(context, new ChatView(context.extensionUri, () => loadChats()));
  const editors = register(context, new ChatEditors(context.extensionUri, () => loadChats()));
  const attention = register(context, new Attention({ view, editors }));
  const loadStore = lazy(async () => (await import("./editor/chat/openStore.ts")).openStore(context));
  const loadOnce = lazy(async () => {
    const [{ loadChats: read }, { createAgentServices }, { fileCopiesFolder }, store] = await Promise.all([
      import("./editor/chat/chats.ts"),
      import("./editor/agent/agentServices.ts"),
      import("./editor/chat/openStore.ts"),
      loadStore(),
    ]);
    const agent = register(
      context,
      createAgentServices({
        workspaceState,
        storageUri: context.storageUri,
        copiesFolder: fileCopiesFolder(context),
        findKeyVariables: () => searchedKeys.variableNames(process.env),
      }),
    );
    const loaded = await read(context, searchedKeys, {
      ...requests,
      spending,
      caps,
      store,
      agent,
      onAnswered,
    });
    register(context, loaded.chats);
    loaded.chats.listen((chat, events) => attention.note(chat, events));
    // In the background. If it fails, the next window tries again.
    agent.copies.clean(() => store.existingIds(), new Date()).catch(() => undefined);
    return loaded;
  });
  let loading: Promise<LoadedChats> | undefined;
  const loadChats = (): Promise<LoadedChats> => (loading = loadOnce());
  /** Reloads the keys, so that stored chats never contain a key that was just added. */
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
    view,
    editors,
    /** Saves the chats and all other pending writes. */
    close: async (): Promise<void> => {
      const loaded = await loading?.catch(() => undefined);
      await loaded?.chats.close();
      await Promise.all([globalState.written(), workspaceState.written(), recorder.files.written()]);
    },
  };
}

function versionOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return typeof version === "string" ? version : "0";
}
