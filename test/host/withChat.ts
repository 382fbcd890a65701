import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import { type ChatPage, createChatPage } from "../../src/editor/page/chatPage.ts";
import type { LoadedChats } from "../../src/editor/chat/chats.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { companionStores } from "./companionStores.ts";
import { SpokenPage } from "./spokenPage.ts";
import { createTalking, loadTestChats } from "./testChats.ts";
import type { TestConnection } from "./withConnection.ts";

/** A page that shows one of the test's chats. */
export class ChatsPage extends SpokenPage implements vscode.Disposable {
  readonly #host: ChatPage;

  constructor({ chats }: LoadedChats, chat: Chat = chats.create()) {
    super((posted) => this.#host.receive(posted));
    this.#host = createChatPage(
      chats,
      chat,
      (message) => this.hear(message),
      () => undefined,
    );
    this.say({ type: "ready" });
  }

  /** The chat that the page shows now. */
  get chat(): Chat {
    return this.#host.chat;
  }

  /** Does what the command does for the page that it applies to. */
  compact(): Promise<void> {
    return this.#host.compact();
  }

  dispose(): void {
    this.#host.dispose();
  }
}

/** The parts of a chat, put together as the extension does, with a folder and state for each test. */
export interface TestChat {
  readonly talking: ReturnType<typeof createTalking>;
  readonly loaded: LoadedChats;
  /** Absolute path of the folder that stores the chats. */
  readonly folder: string;
  /** Loads the chats again, as in another window that shares the folder. */
  readonly loadAgain: () => Promise<LoadedChats>;
  /** Shows a chat in a page; a new one by default. */
  readonly openPage: (chat?: Chat, loaded?: LoadedChats) => ChatsPage;
}

/** Adds hooks to the surrounding `describe`: each test has its own chats, which use the connection. */
export function withChat(connection: TestConnection): TestChat {
  const owned: vscode.Disposable[] = [];
  const pages: vscode.Disposable[] = [];
  const windows: LoadedChats[] = [];
  let folder: string | undefined;
  let current: Pick<TestChat, "talking" | "loaded"> | undefined;

  async function load(): Promise<Pick<TestChat, "talking" | "loaded">> {
    const { secrets } = await companionStores();
    const state = createMemento();
    const talking = createTalking(new ApiKeyStore(secrets, process.env, state), state, owned);
    await talking.connections.use({ name: connection.name });
    const loaded = await loadTestChats(talking, folder ?? assert.fail(), owned);
    windows.push(loaded);
    return { talking, loaded };
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "chats-"));
    current = await load();
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) page.dispose();
    for (const { chats } of windows.splice(0)) await chats.close();
    for (const each of owned.splice(0).toReversed()) each.dispose();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  const made = (): Pick<TestChat, "talking" | "loaded"> =>
    current ?? assert.fail("There are no chats before a test.");
  return {
    get talking() {
      return made().talking;
    },
    get loaded() {
      return made().loaded;
    },
    get folder() {
      return folder ?? assert.fail("There is no folder before a test.");
    },
    loadAgain: async () => (await load()).loaded,
    openPage: (chat, loaded = made().loaded) => {
      const page = new ChatsPage(loaded, chat);
      pages.push(page);
      return page;
    },
  };
}

/** Resolves when a chat has at least this many turns and its last answer has ended. */
export function hasTurns(chat: Chat, count: number): Promise<void> {
  const isReached = (): boolean => chat.shownTranscript.turns.length >= count && chat.resting;
  if (isReached()) return Promise.resolve();
  return new Promise((resolve) => {
    const leave = chat.listen({
      onEvents: () => {
        if (!isReached()) return;
        leave();
        resolve();
      },
    });
  });
}
