import { join } from "node:path";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import { KeptChats } from "../../chat/drafts/keptChats.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { sharedStorage } from "./sharedStorage.ts";
import { Chats, type ChatsOptions } from "./chats.ts";
import { KnownKeys } from "./knownKeys.ts";
import type { Storage } from "./openStore.ts";
import type { Spending } from "./spending.ts";
import type { TokenCaps } from "./tokenCaps.ts";

/** The chats and where they are kept. */
export interface LoadedChats {
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly kept: KeptChats;
  readonly knownKeys: KnownKeys;
  /** To be called when a key or a connection changed: what is kept and not sent yet may hold one. */
  readonly readKeys: () => Promise<void>;
  readonly spending: Spending;
  readonly caps: TokenCaps;
}

/** Builds what the chat needs, when a chat is first shown. Nothing is written before there is something to keep. */
export async function loadChats(
  context: Storage,
  searchedKeys: SearchedKeys,
  options: Omit<ChatsOptions, "kept" | "knownKeys">,
): Promise<LoadedChats> {
  const knownKeys = new KnownKeys(searchedKeys);
  const [kept] = await Promise.all([
    KeptChats.open(join(storageOf(context), "open-chats.json"), () => new Date()),
    knownKeys.read(),
  ]);
  // A key may have been stored since, and in another window.
  kept.clean(knownKeys);
  const readKeys = async (): Promise<void> => {
    await knownKeys.read();
    kept.clean(knownKeys);
  };
  const chats = new Chats({ ...options, kept, knownKeys });
  const { store, spending, caps } = options;
  return { chats, store, kept, knownKeys, readKeys, spending, caps };
}

function storageOf({ storageUri, globalStorageUri }: Storage): string {
  return storageUri === undefined ? globalStorageUri.fsPath : sharedStorage(storageUri.fsPath);
}
