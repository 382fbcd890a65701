import * as vscode from "vscode";
import type { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { createAgentServices } from "../../src/editor/agent/agentServices.ts";
import { loadChats, type LoadedChats } from "../../src/editor/chat/chats.ts";
import { fileCopiesFolder, openStore } from "../../src/editor/chat/openStore.ts";
import { Spending, TokenCaps } from "../../src/editor/chat/spending.ts";
import type { CallRecord } from "../../src/client/request/call.ts";
import { Clients, type RequestSender } from "../../src/editor/service/clients.ts";
import { CompatibilityStore } from "../../src/editor/service/compatibilityStore.ts";
import { ConnectionHealth } from "../../src/editor/service/connectionHealth.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { ModelLimitStore } from "../../src/editor/models/modelLimitStore.ts";
import { takenBy } from "../../src/editor/service/modelCapabilities.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { ModelCatalog } from "../../src/editor/models/modelCatalog.ts";
import { OutgoingTexts } from "../../src/editor/service/outgoingTexts.ts";
import { RequestLog } from "../../src/editor/service/requestLog.ts";
import { ModelEfforts } from "../../src/editor/models/modelEfforts.ts";
import { RequestFields } from "../../src/editor/service/requestFields.ts";
import { SearchedKeys } from "../../src/editor/service/searchedKeys.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";

/**
 * Creates the services for requests as the extension does, with the test's keys and state. Adds disposables to `owned`
 * in the order of their creation.
 */
export function createTalking(keys: ApiKeyStore, state: vscode.Memento, owned: vscode.Disposable[]) {
  const connections = new WorkspaceConnections(
    new WorkspaceBinding(createMemento()),
    new ConnectionWorkspaces(state),
  );
  const health = new ConnectionHealth();
  const calls: { readonly record: CallRecord; readonly sender: RequestSender }[] = [];
  const compatibility = new CompatibilityStore(state);
  const clients = new Clients({
    connections,
    keys,
    health,
    userAgent: "test",
    onCall: (record, sender) => calls.push({ record, sender }),
    memory: compatibility,
  });
  const catalog = new ModelCatalog(state, clients, connections);
  const limits = new ModelLimitStore({
    state,
    catalog,
    taken: (asked) => takenBy(compatibility, asked),
  });
  const searchedKeys = new SearchedKeys(connections, keys);
  const outgoing = new OutgoingTexts(searchedKeys);
  const efforts = new ModelEfforts({ state, catalog, compatibility });
  const requestFields = new RequestFields(searchedKeys);
  const spending = new Spending(state, () => new Date());
  const caps = new TokenCaps(spending);
  // VS Code gives the extension the same log channel, so the log must not be disposed here.
  const log = new RequestLog();
  owned.push(keys, connections, clients, catalog, limits, efforts);
  const talking = { connections, clients, health, outgoing, limits, catalog, spending, caps };
  return { ...talking, efforts, requestFields, keys, compatibility, log, searchedKeys, calls };
}

/** Loads chats as the extension does when it shows the first chat. They are stored in the test's folder. */
export async function loadTestChats(
  { searchedKeys, ...talking }: ReturnType<typeof createTalking>,
  folder: string,
  owned: vscode.Disposable[],
): Promise<LoadedChats> {
  const lastTextEditor = new LastTextEditor();
  owned.push(lastTextEditor);
  const uri = vscode.Uri.file(folder);
  const storage = { storageUri: uri, globalStorageUri: uri };
  return loadChats(storage, searchedKeys, {
    ...talking,
    store: openStore(storage),
    agent: createAgentServices({
      workspaceState: createMemento(),
      copiesFolder: fileCopiesFolder(storage),
      findKeyVariables: async () => [],
    }),
    loadCodeActions: () => Promise.reject(new Error("There are no code blocks.")),
    lastTextEditor,
  });
}
