import type * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import { spentOn } from "../../chat/session/spentTokens.ts";
import { DraftStore } from "../../chat/drafts/draftStore.ts";
import {
  isTurnWhole,
  eventTraits,
  emptyTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../chat/transcript/transcript.ts";
import type { CodeBlockActions } from "../edits/codeBlockActions.ts";
import { ChatContext } from "../attachments/chatContext.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { ChatPrompts } from "../prompts/chatPrompts.ts";
import { Chat } from "./chat.ts";
import { type ChatServices, createChatTarget } from "./chatTarget.ts";
import { StreamRedactor } from "../../chat/history/log/streamRedactor.ts";
import { KnownKeys } from "./knownKeys.ts";
import { StreamingHeartbeat, CrossWindowSync, type ReadChat, sharedStorage } from "./crossWindowSync.ts";
import type { Spending, TokenCaps } from "./spending.ts";
import { LiveRegionOwner } from "../../chat/page/liveRegionOwner.ts";
import { type SavedEdits, type UnsentChat, unsentChats } from "./unsentTexts.ts";
import type { QuestionNeeds } from "./askQuestion.ts";
import { createQuestionDialogs } from "./questionDialogs.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import { join } from "node:path";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import type { Storage } from "./openStore.ts";

/** What the pages of all chats share. */
export interface ChatPageSources {
  readonly connections: WorkspaceConnections;
  readonly limits: ModelLimitStore;
  readonly context: ChatContext;
  readonly prompts: ChatPrompts;
  readonly questions: QuestionNeeds;
  readonly saveDraft: (chatId: string, draft: string) => void;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  readonly newChat: () => Chat;
  readonly findChat: (id: string) => Promise<Chat | undefined>;
  /** Texts that are to take the place of questions and were not sent, by the question's turn. */
  readonly edits: SavedEdits;
  /** Read out is what arrives in one of the pages. */
  readonly voice: LiveRegionOwner;
  /** Hears which chat something is done in. */
  readonly onUse: (chat: Chat) => void;
  /** Hears of a chat that a page no longer shows. */
  readonly onHidden: (chat: Chat) => void;
}

interface ChatsOptions extends ChatServices {
  readonly store: ConversationStore;
  readonly drafts: DraftStore;
  readonly knownKeys: KnownKeys;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  readonly lastTextEditor: LastTextEditor;
}

/** The open conversations, each with an answer of its own arriving or not. */
export class Chats implements vscode.Disposable {
  /** Attaches things to these chats. */
  readonly context: ChatContext;
  readonly #options: ChatsOptions;
  readonly #prompts: ChatPrompts;
  readonly #open = new Map<string, Promise<Chat>>();
  /** What open chats have to write down, by their ids. */
  readonly #redactors = new Map<string, StreamRedactor>();
  /** The chats in which an answer arrives. */
  readonly #heartbeat: StreamingHeartbeat;
  readonly #windows: CrossWindowSync;
  readonly #voice = new LiveRegionOwner();
  #lastUsed: Chat | undefined;
  #closing = false;

  constructor(options: ChatsOptions) {
    this.#options = options;
    this.context = new ChatContext(options);
    this.#prompts = new ChatPrompts(this.context, options.lastTextEditor);
    const { store } = options;
    // An answer may be silent for long; without its window it is interrupted.
    this.#heartbeat = new StreamingHeartbeat((id) => void store.beat(id));
    this.#windows = new CrossWindowSync(store, () => new Date());
  }

  create(): Chat {
    const chat = this.#build(crypto.randomUUID(), null, emptyTranscript);
    this.#open.set(chat.id, Promise.resolve(chat));
    return chat;
  }

  /** The chat of this id, from memory, from its file or with what it holds unsent; undefined where there is none. */
  async find(id: string): Promise<Chat | undefined> {
    const open = await this.#open.get(id);
    if (open !== undefined) await this.#windows.catchUp(open);
    // It may have been let go of meanwhile.
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const read = await this.#windows.read(id);
    if (read === undefined && !this.#options.drafts.chatIds.includes(id)) return undefined;
    // Another page may have asked for it meanwhile.
    const chat = this.#open.get(id) ?? Promise.resolve(this.#buildRead(id, read));
    this.#open.set(id, chat);
    return chat;
  }

  /** The chat that was on the screen under this id, or a new one. */
  async restore(id: string | undefined): Promise<Chat> {
    return (id === undefined ? undefined : await this.find(id)) ?? this.create();
  }

  /** The chats with a draft or attachments in which nothing was asked here. */
  async unsent(): Promise<readonly UnsentChat[]> {
    return unsentChats(await Promise.all(this.#open.values()), this.#options.drafts);
  }

  /** Ends what arrives in these chats: nobody could stop it once they are gone. */
  async end(ids: readonly string[]): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        const session = (await this.#open.get(id))?.session;
        const arriving = session?.transcript.arriving;
        if (arriving) await session?.end(arriving.id);
      }),
    );
  }

  /** Lets go of chats that were removed, and of what they hold unsent; the result brings that back. */
  forget(ids: readonly string[]): () => void {
    const { drafts } = this.#options;
    const forgotten = ids.map((id) => {
      const open = this.#open.get(id);
      this.#open.delete(id);
      if (this.#lastUsed?.id === id) this.#lastUsed = undefined;
      return { id, open, things: drafts.forget(id) };
    });
    return () => {
      for (const { id, open, things } of forgotten) {
        drafts.restore(id, things);
        // It holds what is too large to be kept.
        if (open !== undefined && !this.#open.has(id)) {
          this.#open.set(id, open);
          void open.then((chat) => this.release(chat));
        }
      }
      // A key in it may have been stored meanwhile.
      drafts.clean(this.#options.knownKeys);
    };
  }

  /** What the pages of these chats are made of. */
  get pageSources(): ChatPageSources {
    const { connections, limits, outgoing, caps, loadCodeActions, drafts, knownKeys } = this.#options;
    const prompts = this.#prompts;
    const newChat = (): Chat => this.create();
    const onHidden = (chat: Chat): void => this.release(chat);
    return {
      connections,
      limits,
      context: this.context,
      prompts,
      questions: {
        prompts,
        context: this.context,
        outgoing,
        caps,
        connections,
        dialogs: createQuestionDialogs(this.#options),
        newChat,
        release: onHidden,
      },
      loadCodeActions,
      voice: this.#voice,
      newChat,
      findChat: (id) => this.find(id),
      edits: {
        of: (chatId) => drafts.editsOf(chatId),
        save: (chatId, turnId, text) => drafts.saveEdit(chatId, turnId, knownKeys.cleanText(text)),
      },
      saveDraft: (chatId, draft) => this.#saveDraft(chatId, draft),
      onUse: (used) => {
        this.#lastUsed = used;
      },
      onHidden,
    };
  }

  /** The chat that was last done something in. */
  get lastUsed(): Chat | undefined {
    return this.#lastUsed;
  }

  /** Lets go of a chat that no page shows any more and in which nothing arrives. */
  release(chat: Chat): void {
    if (!chat.idle) return;
    if (!this.#options.store.isWritten(chat.id)) {
      void this.#releaseOnceWritten(chat);
      return;
    }
    this.#open.delete(chat.id);
    this.#redactors.delete(chat.id);
  }

  /** What cannot be written, as on a full disk, is nowhere else: such a chat stays for the next time. */
  async #releaseOnceWritten(chat: Chat): Promise<void> {
    if (await this.#options.store.log(chat.id).flush()) this.release(chat);
  }

  /** Ends what arrives and writes down what is left to be written. */
  async close(): Promise<void> {
    for (const [id, redactor] of this.#redactors) {
      const rest = this.#heartbeat.has(id) ? redactor.redact([interrupted]) : redactor.flush();
      if (rest.length > 0) this.#options.store.log(id).append(rest);
    }
    // An answer that the window's end cuts was not stopped by anyone, which its file says already.
    this.#closing = true;
    this.dispose();
    await Promise.all([this.#options.store.close(), this.#options.drafts.close()]);
  }

  dispose(): void {
    for (const opened of this.#open.values()) void opened.then(({ session }) => session.stop());
    this.#open.clear();
    this.#windows.dispose();
    this.#heartbeat.dispose();
    this.context.dispose();
  }

  #buildRead(id: string, read: ReadChat | undefined): Chat {
    const chat = this.#build(id, read?.title ?? null, read?.transcript ?? emptyTranscript);
    if (read !== undefined) this.#windows.opened(chat, read);
    return chat;
  }

  #build(id: string, title: string | null, transcript: Transcript): Chat {
    const { drafts, knownKeys } = this.#options;
    const redactor = new StreamRedactor(knownKeys);
    this.#redactors.set(id, redactor);
    const chat: Chat = new Chat({
      id,
      title,
      transcript,
      draft: drafts.draftOf(id),
      attachments: drafts.attachmentsOf(id),
      saveAttachments: (attachments) => drafts.saveAttachments(id, knownKeys.cleanAttachments(attachments)),
      preparedPrompt: drafts.preparedPromptOf(id),
      savePreparedPrompt: (name = "") => drafts.savePreparedPrompt(id, knownKeys.cleanText(name)),
      // What is asked while the window closes could not be written down: it stays a draft.
      target: (choice) => (this.#closing ? undefined : createChatTarget(this.#options, choice)),
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
      log: (events) => this.#log(chat, redactor, events),
      catchUp: (seen) => void this.#windows.catchUp(seen),
    });
    return chat;
  }

  #log(chat: Chat, redactor: StreamRedactor, events: readonly TranscriptEvent[]): Promise<unknown> {
    const { store } = this.#options;
    if (this.#closing) return Promise.resolve();
    const log = store.log(chat.id);
    log.append(redactor.redact(events));
    const moments = new Set(events.map(({ type }) => eventTraits[type].moment));
    if (moments.has("answer-start")) this.#heartbeat.add(chat.id);
    if (moments.has("answer-end")) this.#answerEnded(chat);
    return events.some(isTurnWhole) ? withinDiskTimeout(log.flush()) : Promise.resolve();
  }

  /** Takes note of what the answer that has just ended took. */
  #answerEnded(chat: Chat): void {
    this.#heartbeat.delete(chat.id);
    const answer = chat.session.transcript.turns.at(-1);
    if (answer?.kind === "answer") {
      // A count that cannot be kept is no reason to disturb the chat.
      const tokens = spentOn(chat.session.transcript, answer);
      this.#options.spending.add(answer.connection, tokens).catch(() => undefined);
    }
    // The session still counts as busy while it tells of the end.
    queueMicrotask(() => this.release(chat));
  }

  async #setDraft(chatId: string, draft: string): Promise<void> {
    const chat = await this.#open.get(chatId);
    if (chat !== undefined) chat.draft = draft;
  }

  #saveDraft(chatId: string, draft: string): void {
    const { drafts, knownKeys } = this.#options;
    void this.#setDraft(chatId, draft);
    drafts.saveDraft(chatId, knownKeys.cleanText(draft));
  }
}

/** A window that closes tells the end of what arrives in it: others need not wait for the rest. */
const interrupted: TranscriptEvent = { type: "answer-ended", state: { kind: "interrupted" } };

/** Milliseconds that a page waits for the disk at most before it hears of what happened. */
const diskTimeoutMs = 1000;

async function withinDiskTimeout(written: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, diskTimeoutMs);
  });
  await Promise.race([written, waited]);
  clearTimeout(timer);
}

/** The chats and where they are kept. */
export interface LoadedChats {
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly drafts: DraftStore;
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
  options: Omit<ChatsOptions, "drafts" | "knownKeys">,
): Promise<LoadedChats> {
  const knownKeys = new KnownKeys(searchedKeys);
  const [drafts] = await Promise.all([
    DraftStore.open(join(storageOf(context), "open-chats.json"), () => new Date()),
    knownKeys.read(),
  ]);
  // A key may have been stored since, and in another window.
  drafts.clean(knownKeys);
  const readKeys = async (): Promise<void> => {
    await knownKeys.read();
    drafts.clean(knownKeys);
  };
  const chats = new Chats({ ...options, drafts, knownKeys });
  const { store, spending, caps } = options;
  return { chats, store, drafts, knownKeys, readKeys, spending, caps };
}

function storageOf({ storageUri, globalStorageUri }: Storage): string {
  return storageUri === undefined ? globalStorageUri.fsPath : sharedStorage(storageUri.fsPath);
}
