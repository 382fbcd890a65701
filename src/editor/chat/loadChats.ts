import { join } from "node:path";
import * as vscode from "vscode";
import { ConversationStore } from "../../chat/conversationStore.ts";
import { KeptChats } from "../../chat/keptChats.ts";
import { localReasonOf } from "../errorReason.ts";
import type { SearchedKeys } from "../searchedKeys.ts";
import { readHistorySetting } from "../settings.ts";
import { sharedStorage } from "../sharedStorage.ts";
import type { ChatAnswererOptions } from "./chatAnswerer.ts";
import { Chats, type ChatsOptions } from "./chats.ts";
import { KnownKeys } from "./knownKeys.ts";
import type { Spending } from "./spending.ts";
import type { TokenCaps } from "./tokenCaps.ts";

/** The chats and where they are kept. */
export interface LoadedChats {
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly kept: KeptChats;
  readonly knownKeys: KnownKeys;
  readonly spending: Spending;
  readonly caps: TokenCaps;
}

type Storage = Pick<vscode.ExtensionContext, "storageUri" | "globalStorageUri">;

/** Builds what the chat needs, when a chat is first shown. Nothing is written before there is something to keep. */
export async function loadChats(
  context: Storage,
  searchedKeys: SearchedKeys,
  options: ChatAnswererOptions & Omit<ChatsOptions, "store" | "kept" | "knownKeys">,
): Promise<LoadedChats> {
  const knownKeys = new KnownKeys(searchedKeys);
  await knownKeys.read();
  const store = new ConversationStore({
    folder: folderOf(context),
    onWriteError: tellWriteError,
    onBroughtBack: tellBroughtBack,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  });
  const kept = await KeptChats.open(join(storageOf(context), "open-chats.json"), () => new Date());
  const chats = new Chats({ ...options, store, kept, knownKeys });
  const { spending, caps } = options;
  return { chats, store, kept, knownKeys, spending, caps };
}

/** The workspace's own storage; that of all workspaces where the user wants it so, or none is open. */
function folderOf({ storageUri, globalStorageUri }: Storage): string {
  const own = readHistorySetting() === "workspace" ? storageUri : undefined;
  return join(own === undefined ? globalStorageUri.fsPath : sharedStorage(own.fsPath), "conversations");
}

function storageOf({ storageUri, globalStorageUri }: Storage): string {
  return storageUri === undefined ? globalStorageUri.fsPath : sharedStorage(storageUri.fsPath);
}

function tellWriteError(error: unknown): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The chat cannot be saved at the moment ({0}). It stays here, and saving is tried again by itself.",
      localReasonOf(error),
    ),
  );
}

function tellBroughtBack(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      "This chat was deleted in another window. It is back in the history, since you went on with it.",
    ),
  );
}
