import type * as vscode from "vscode";
import type { CallRecord } from "./client/call.ts";
import type { Connection } from "./connection/connection.ts";
import { ApiKeyStore } from "./editor/apiKeyStore.ts";
import { ChatEditors } from "./editor/chat/chatEditors.ts";
import { ChatView } from "./editor/chat/chatView.ts";
import type { LoadedChats } from "./editor/chat/loadChats.ts";
import { Clients } from "./editor/clients.ts";
import type { CommandTables } from "./editor/commands/commandGroups.ts";
import { CompatibilityStore } from "./editor/compatibilityStore.ts";
import type { ConnectionHealth } from "./editor/connectionHealth.ts";
import { ModelRooms, type ModelRoomsOptions } from "./editor/context/modelRooms.ts";
import type { ExtensionCalls } from "./editor/extensionCalls.ts";
import { GettingStarted } from "./editor/gettingStarted.ts";
import type { ExposedKeyDiagnostics } from "./editor/exposedKeyDiagnostics.ts";
import type { LastTextEditor } from "./editor/lastTextEditor.ts";
import { loadOnce } from "./editor/loadOnce.ts";
import { ModelCatalog } from "./editor/modelCatalog.ts";
import { OutgoingTexts } from "./editor/outgoingTexts.ts";
import { RequestLog } from "./editor/requestLog.ts";
import { SearchedKeys } from "./editor/searchedKeys.ts";
import type { WorkspaceConnections } from "./editor/workspaceConnections.ts";

/** What is there from the start. */
export interface Foundation {
  readonly context: vscode.ExtensionContext;
  readonly connections: WorkspaceConnections;
  readonly health: ConnectionHealth;
  readonly lastTextEditor: LastTextEditor;
  /** To be called when a list of models was had or forgotten. */
  readonly onModelsChanged: () => void;
  /** Disposed with the extension. */
  readonly own: <T extends vscode.Disposable>(disposable: T) => T;
}

/** What is built when the first thing is asked for. */
export interface Services {
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly commands: CommandTables;
  /** What other extensions call. */
  readonly extensionCalls: () => Promise<ExtensionCalls>;
  /** Takes a link that proposes a connection. */
  readonly openLink: (uri: vscode.Uri) => Promise<void>;
  /** Begins to watch for what is wrong with settings and for keys where they should not be. */
  readonly watch: () => Promise<void>;
  /** Writes down what has arrived in the chats. */
  readonly close: () => Promise<void>;
}

/** The second half of the composition: builds everything that activation can do without. */
export function composeServices(foundation: Foundation): Services {
  const { context, connections, health, lastTextEditor, onModelsChanged, own } = foundation;
  const { globalState, extensionUri } = context;
  const keys = own(new ApiKeyStore(context.secrets, process.env, globalState));
  const log = own(new RequestLog());
  const extensionVersion = versionOf(context);
  // A plain product name: some gateways refuse callers without one (wire.md, "What the clients send").
  const userAgent = `inference-chat/${extensionVersion}`;
  const onCall = (record: CallRecord, connection: Connection): void => {
    const { model = connections.modelFor(connection), clientStyle = connections.clientStyleFor(connection) } =
      record;
    log.add(connection.name, { record, model, clientStyle });
  };
  const compatibility = new CompatibilityStore(globalState);
  const clients = own(new Clients({ connections, keys, health, userAgent, onCall, memory: compatibility }));
  const catalog = own(new ModelCatalog(globalState, clients));
  own(catalog.onDidChange(onModelsChanged));
  const imageState: ModelRoomsOptions["imageState"] = (asked) => compatibility.stateOf(asked, "image");
  const rooms = own(new ModelRooms({ state: globalState, catalog, imageState }));
  const searchedKeys = new SearchedKeys(connections, keys);
  const outgoing = new OutgoingTexts(searchedKeys);
  const environment = process.env;
  const started = own(new GettingStarted({ connections, keys, state: globalState, environment }));
  const onPassed = (): void => started.done("checkPassed");
  const onAnswered = (): void => started.done("hasChatted");

  const loadCodeActions = loadOnce(async () => {
    const { CodeBlockActions } = await import("./editor/codeBlockActions.ts");
    return own(new CodeBlockActions(lastTextEditor));
  });
  let loading: Promise<LoadedChats> | undefined;
  const loadChatsOnce = loadOnce(async () => {
    const { loadChats } = await import("./editor/chat/loadChats.ts");
    const options = { connections, clients, health, outgoing, rooms, loadCodeActions, onAnswered };
    const loaded = await loadChats(context, searchedKeys, options);
    own(loaded.chats);
    return loaded;
  });
  const load = (): Promise<LoadedChats> => (loading = loadChatsOnce());
  const view = own(new ChatView(extensionUri, load));
  const editors = own(new ChatEditors(extensionUri, load));

  let exposed: ExposedKeyDiagnostics | undefined;
  const loadExposed = loadOnce(async () => {
    const { ExposedKeyDiagnostics: Diagnostics } = await import("./editor/exposedKeyDiagnostics.ts");
    exposed = own(new Diagnostics(searchedKeys));
    return exposed;
  });
  const loadPages = loadOnce(async () => {
    const { ReportPanels } = await import("./editor/reportPanel.ts");
    return own(new ReportPanels(extensionUri));
  });
  const loadConsents = loadOnce(async () => {
    const { CheckConsents } = await import("./editor/checkConsents.ts");
    return own(new CheckConsents(globalState, connections));
  });
  const loadRuns = loadOnce(async () => {
    const [consents, { CheckRuns }, pages] = await Promise.all([
      loadConsents(),
      import("./editor/checkRuns.ts"),
      loadPages(),
    ]);
    return new CheckRuns({ connections, keys, clients, health, consents, pages, onPassed });
  });
  const loadEditing = loadOnce(async () => {
    const { ConnectionEditing } = await import("./editor/connectionEditing.ts");
    return new ConnectionEditing(connections, keys);
  });

  /** What is written down must not hold a key that was just stored. */
  const readKeys = (): void => void loading?.then(({ knownKeys }) => knownKeys.read()).catch(() => undefined);
  const renewed = (connectionName: string): void => {
    health.forget(connectionName);
    const connection = connections.named(connectionName);
    if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
    exposed?.forgetClosedFiles();
    exposed?.searchAgain();
    readKeys();
  };
  own(keys.onDidChange(renewed));
  own(connections.onDidMove(renewed));
  own(
    connections.onDidChange(() => {
      exposed?.searchAgain();
      readKeys();
    }),
  );

  const commands: CommandTables = {
    connection: loadOnce(async () => {
      const [{ connectionCommands }, { ConnectionTerms }, editing] = await Promise.all([
        import("./editor/commands/connectionCommands.ts"),
        import("./editor/connectionTerms.ts"),
        loadEditing(),
      ]);
      const terms = new ConnectionTerms({ connections, keys, editing });
      return connectionCommands({ connections, editing, terms });
    }),
    check: loadOnce(async () => {
      const [{ checkCommands }, { SupportReports }, runs] = await Promise.all([
        import("./editor/commands/checkCommands.ts"),
        import("./editor/supportReports.ts"),
        loadRuns(),
      ]);
      const options = { connections, clients, runs, log, searchedKeys, extensionVersion };
      return checkCommands(connections, runs, own(new SupportReports(options)));
    }),
    compatibility: loadOnce(async () => {
      const [{ compatibilityCommands }, pages] = await Promise.all([
        import("./editor/commands/compatibilityCommands.ts"),
        loadPages(),
      ]);
      return compatibilityCommands({ connections, keys, clients, health, compatibility, pages });
    }),
    model: loadOnce(async () => {
      const { modelCommands } = await import("./editor/commands/modelCommands.ts");
      return modelCommands({ connections, catalog, clients });
    }),
    exposedKey: loadOnce(async () => {
      const [{ exposedKeyCommands }, editing, marks, runs] = await Promise.all([
        import("./editor/commands/exposedKeyCommands.ts"),
        loadEditing(),
        loadExposed(),
        loadRuns(),
      ]);
      const check = async (connection: Connection, signal: AbortSignal) =>
        (await runs.run(connection, true, signal)).result;
      return exposedKeyCommands({ connections, editing, searchedKeys, exposed: marks, check });
    }),
    chat: loadOnce(async () => {
      const { chatCommands } = await import("./editor/commands/chatCommands.ts");
      return chatCommands({ load, view, editors, log });
    }),
    history: loadOnce(async () => {
      const { historyCommands } = await import("./editor/commands/historyCommands.ts");
      return historyCommands({ load, view, editors });
    }),
    proposal: loadOnce(async () => {
      const { proposalCommands } = await import("./editor/commands/proposalCommands.ts");
      return proposalCommands(async () => (await loadCodeActions()).proposals);
    }),
    home: loadOnce(async () => {
      const { homeCommands } = await import("./editor/commands/homeCommands.ts");
      const extensionId = context.extension.id;
      const options = { connections, clients, health, outgoing, rooms, state: globalState, extensionId };
      return homeCommands(options);
    }),
    context: loadOnce(async () => {
      const { contextCommands } = await import("./editor/commands/contextCommands.ts");
      return contextCommands({ load, view });
    }),
  };

  const loadLinks = loadOnce(async () => {
    const [{ ConnectLinks }, editing] = await Promise.all([
      import("./editor/connectLinks.ts"),
      loadEditing(),
    ]);
    return new ConnectLinks({ connections, editing, searchedKeys });
  });

  return {
    view,
    editors,
    commands,
    extensionCalls: loadOnce(async () => {
      const [{ extensionCalls }, consents, runs] = await Promise.all([
        import("./editor/extensionCalls.ts"),
        loadConsents(),
        loadRuns(),
      ]);
      return extensionCalls({ connections, catalog, clients, consents, runs });
    }),
    openLink: async (uri) => (await loadLinks()).open(uri),
    watch: async () => {
      const [{ ConnectionNotices }, { OrphanKeyWatch }] = await Promise.all([
        import("./editor/connectionNotices.ts"),
        import("./editor/orphanKeyWatch.ts"),
        loadExposed(),
      ]);
      own(new ConnectionNotices(connections));
      own(new OrphanKeyWatch(connections, keys, globalState));
    },
    close: async () => {
      const loaded = await loading?.catch(() => undefined);
      await loaded?.chats.close();
    },
  };
}

function versionOf(context: vscode.ExtensionContext): string {
  const { packageJSON } = context.extension;
  const version: unknown = packageJSON?.version;
  return typeof version === "string" ? version : "0";
}
