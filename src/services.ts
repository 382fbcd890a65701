import type * as vscode from "vscode";
import type { CallRecord } from "./client/request/call.ts";
import type { Connection } from "./connection/setup/connection.ts";
import { ApiKeyStore } from "./editor/key/apiKeyStore.ts";
import { ChatEditors } from "./editor/page/chatEditors.ts";
import { ChatView } from "./editor/page/chatView.ts";
import type { LoadedChats } from "./editor/chat/chats.ts";
import { Spending, TokenCaps } from "./editor/chat/spending.ts";
import { Clients, refusedImageText } from "./editor/service/clients.ts";
import { chatCommands } from "./editor/page/chatCommands.ts";
import type { CommandTables } from "./editor/shared/commandGroups.ts";
import { contextCommands } from "./editor/commands/contextCommands.ts";
import { inPlaceCommands } from "./editor/inPlace/inPlaceCommands.ts";
import { proposalCommands } from "./editor/edits/proposalCommands.ts";
import { CompatibilityStore } from "./editor/service/compatibilityStore.ts";
import { ModelLimitStore } from "./editor/models/modelLimitStore.ts";
import { reportError } from "./editor/shared/notices.ts";
import type { ExposedKeyDiagnostics } from "./editor/exposedKeys/exposedKeyDiagnostics.ts";
import type { ExtensionCalls } from "./editor/extensionApi/extensionCalls.ts";
import { GettingStarted } from "./editor/statusBar/gettingStarted.ts";
import type { LanguageModels } from "./editor/languageModels/languageModels.ts";
import { takesImages } from "./editor/languageModels/modelCapabilities.ts";
import { lazy } from "./editor/shared/lazy.ts";
import { ModelCatalog } from "./editor/models/modelCatalog.ts";
import { OutgoingTexts } from "./editor/service/outgoingTexts.ts";
import { RequestLog } from "./editor/service/requestLog.ts";
import { SearchedKeys } from "./editor/service/searchedKeys.ts";
import type { Foundation } from "./foundation.ts";

/** What is built when the first thing is asked for. */
export interface Services {
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly commands: CommandTables;
  /** What other extensions call. */
  readonly extensionCalls: () => Promise<ExtensionCalls>;
  /** Takes a link that proposes a connection; what fails of it is said. */
  readonly openLink: (uri: vscode.Uri) => void;
  /** The models of the workspace's connection, for the editor. */
  readonly loadLanguageModels: (onChange: () => void) => Promise<LanguageModels>;
  /** Begins to watch for what is wrong with settings and for keys where they should not be. */
  readonly watch: () => Promise<void>;
  /** Writes down what has arrived in the chats, and what else is not written yet. */
  readonly close: () => Promise<void>;
}

/** The second half of the composition: builds everything that activation can do without. */
export function composeServices(foundation: Foundation): Services {
  const { context, globalState, connections, health, lastTextEditor, onModelsChanged, register } = foundation;
  const { extensionUri } = context;
  const keys = register(new ApiKeyStore(context.secrets, process.env, globalState));
  const log = register(new RequestLog());
  const extensionVersion = versionOf(context);
  // A plain product name: some gateways refuse callers without one (wire.md, "What the clients send").
  const userAgent = `inference-chat/${extensionVersion}`;
  const onCall = (record: CallRecord, connection: Connection): void => {
    const { model = connections.modelFor(connection), clientStyle = connections.clientStyleFor(connection) } =
      record;
    log.add(connection.name, { record, model, clientStyle });
  };
  const compatibility = new CompatibilityStore(globalState, undefined, refusedImageText);
  const clients = register(
    new Clients({ connections, keys, health, userAgent, onCall, memory: compatibility }),
  );
  const catalog = register(new ModelCatalog(globalState, clients, connections));
  register(catalog.onDidChange(onModelsChanged));
  const limits = register(
    new ModelLimitStore({
      state: globalState,
      catalog,
      takesImages: (asked) => takesImages(compatibility, asked),
    }),
  );
  // One for all that asks: what the user has allowed at one place is allowed at all.
  const spending = new Spending(globalState, () => new Date());
  const caps = new TokenCaps(spending);
  const searchedKeys = new SearchedKeys(connections, keys);
  const outgoing = new OutgoingTexts(searchedKeys);
  const environment = process.env;
  const started = register(new GettingStarted({ connections, keys, state: globalState, environment }));
  const onPassed = (): void => started.done("checkPassed");
  const onAnswered = (): void => started.done("hasChatted");

  const talking = { connections, clients, health, outgoing, limits, catalog, spending, caps };

  const loadCodeActions = lazy(async () => {
    const { CodeBlockActions } = await import("./editor/edits/codeBlockActions.ts");
    return register(new CodeBlockActions(lastTextEditor));
  });
  const loadStore = lazy(async () => (await import("./editor/chat/openStore.ts")).openStore(context));
  let loading: Promise<LoadedChats> | undefined;
  const loadChatsOnce = lazy(async () => {
    const [{ loadChats }, store] = await Promise.all([import("./editor/chat/chats.ts"), loadStore()]);
    const options = { ...talking, store, lastTextEditor, loadCodeActions, onAnswered };
    const loaded = await loadChats(context, searchedKeys, options);
    register(loaded.chats);
    return loaded;
  });
  const load = (): Promise<LoadedChats> => (loading = loadChatsOnce());
  const view = register(new ChatView(extensionUri, load));
  const editors = register(new ChatEditors(extensionUri, load));

  const loadProposals = async () => (await loadCodeActions()).proposals;
  const loadInPlace = lazy(async () => {
    const { InPlaceActions } = await import("./editor/inPlace/inPlaceActions.ts");
    const state = context.workspaceState;
    return register(new InPlaceActions({ ...talking, load, view, lastTextEditor, loadProposals, state }));
  });

  const languageModels = { ...talking, keys, compatibility, log };

  let exposed: ExposedKeyDiagnostics | undefined;
  const loadExposed = lazy(async () => {
    const module = await import("./editor/exposedKeys/exposedKeyDiagnostics.ts");
    exposed = register(new module.ExposedKeyDiagnostics(searchedKeys));
    return exposed;
  });
  const loadConnectionServices = lazy(async () => {
    const [{ composeConnectionServices }, marks] = await Promise.all([
      import("./connectionServices.ts"),
      loadExposed(),
    ]);
    return composeConnectionServices({
      ...foundation,
      keys,
      clients,
      catalog,
      compatibility,
      log,
      searchedKeys,
      exposed: marks,
      extensionVersion,
      onPassed,
    });
  });

  /** What is written down must not hold a key that was just stored. */
  const readKeys = (): void => void loading?.then((loaded) => loaded.readKeys()).catch(() => undefined);
  const searchAgain = (): void => {
    exposed?.searchAgain();
    readKeys();
  };
  const renewed = (connectionName: string): void => {
    health.forget(connectionName);
    const connection = connections.named(connectionName);
    if (connection !== undefined) catalog.forget(connection).catch(() => undefined);
    exposed?.forgetClosedFiles();
    searchAgain();
  };
  register(keys.onDidChange(renewed));
  register(
    keys.onDidAnswerAfterTimeout((connectionName) => {
      health.outdate(connectionName);
      searchAgain();
    }),
  );
  register(connections.onDidMove(renewed));
  register(connections.onDidChange(searchAgain));

  const commands: CommandTables = {
    connection: async () => (await loadConnectionServices()).connection,
    check: async () => (await loadConnectionServices()).check,
    compatibility: async () => (await loadConnectionServices()).compatibility,
    model: async () => (await loadConnectionServices()).model,
    exposedKey: async () => (await loadConnectionServices()).exposedKey,
    chat: async () => chatCommands({ load, view, editors, log }),
    history: lazy(async () => {
      // Side by side, since the list waits for both.
      const [{ historyCommands }] = await Promise.all([
        import("./editor/history/historyCommands.ts"),
        loadStore(),
      ]);
      return historyCommands({ load, loadStore, view, editors });
    }),
    proposal: async () => proposalCommands(loadProposals),
    inPlace: async () => inPlaceCommands(loadInPlace, lastTextEditor),
    context: async () => contextCommands({ load, view, editors }),
    languageModel: lazy(async () => {
      const { languageModelCommands } = await import("./editor/languageModels/languageModelCommands.ts");
      return languageModelCommands(languageModels);
    }),
    home: lazy(async () => {
      const { homeCommands } = await import("./editor/statusBar/statusMenu.ts");
      const extensionId = context.extension.id;
      return homeCommands({ ...talking, extensionId });
    }),
  };

  return {
    view,
    editors,
    commands,
    extensionCalls: async () => (await loadConnectionServices()).calls,
    // Where the editor hands a link on, nobody hears of what fails.
    openLink: (uri) => reportError(loadConnectionServices().then(({ links }) => links.open(uri))),
    loadLanguageModels: async (onChange) => {
      const { LanguageModels } = await import("./editor/languageModels/languageModels.ts");
      return register(new LanguageModels(languageModels, onChange));
    },
    watch: async () => {
      const [{ ConnectionNotices }, { FaultyExcludeNotices }, { GitPresence }, { UnusedKeyNotice }] =
        await Promise.all([
          import("./editor/connections/connectionNotices.ts"),
          import("./editor/files/faultyExcludes.ts"),
          import("./editor/commit/gitPresence.ts"),
          import("./editor/key/unusedKeyNotice.ts"),
          loadExposed(),
        ]);
      register(new GitPresence());
      register(new ConnectionNotices(connections));
      register(new FaultyExcludeNotices());
      register(new UnusedKeyNotice(keys, globalState));
    },
    close: async () => {
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
