import type * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import { spentOn } from "../../chat/session/spentTokens.ts";
import { DraftStore } from "../../chat/drafts/draftStore.ts";
import {
  type AnswerTurn,
  countAttachedFromOutside,
  isTurnWhole,
  modeOf,
  eventTraits,
  emptyTranscript,
  type QuestionTurn,
  type Transcript,
  type TranscriptEvent,
} from "../../chat/transcript/transcript.ts";
import type { CodeBlockActions } from "../edits/codeBlockActions.ts";
import { ChatContext } from "../attachments/chatContext.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { ChatPrompts } from "../prompts/chatPrompts.ts";
import { type AnswerTools, windowCloses } from "../../chat/agent/answerTools.ts";
import type { ChatTarget, ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import { isCompaction } from "../../chat/transcript/compaction.ts";
import { createAnswerTools } from "../agent/agentTools.ts";
import type { AgentServices, TypingWatch } from "../agent/agentServices.ts";
import type { AnswerChanges } from "../agent/answerChanges.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { Chat } from "./chat.ts";
import { type ChatServices, createChatTarget } from "./chatTarget.ts";
import {
  type AskedChat,
  destinationOf,
  obstacleOf,
  type Receiver,
  receiverObstacle,
  unreachableText,
  takesPdfAt,
} from "./receiver.ts";
import { StreamRedactor } from "../../chat/history/log/streamRedactor.ts";
import { KnownKeys } from "./knownKeys.ts";
import { StreamingHeartbeat, CrossWindowSync, type ReadChat, sharedStorage } from "./crossWindowSync.ts";
import type { Spending, TokenCaps } from "./spending.ts";
import { LiveRegionOwner } from "../../chat/page/liveRegionOwner.ts";
import { type SavedEdits, type UnsentChat, unsentChats } from "./unsentTexts.ts";
import type { QuestionNeeds } from "./askQuestion.ts";
import { createQuestionDialogs } from "./questionDialogs.ts";
import type { ModelEfforts } from "../models/modelEfforts.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { setImmediate as nextTask } from "node:timers/promises";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import type { Storage } from "./openStore.ts";

/** Services shared by all chat pages. */
export interface ChatPageSources extends ModelSources {
  readonly limits: ModelLimitStore;
  readonly efforts: ModelEfforts;
  readonly context: ChatContext;
  readonly prompts: ChatPrompts;
  readonly questions: QuestionNeeds;
  readonly saveDraft: (chatId: string, draft: string) => void;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  readonly changes: AnswerChanges;
  readonly typing: TypingWatch;
  readonly newChat: () => Chat;
  readonly findChat: (id: string) => Promise<Chat | undefined>;
  /** Edited question texts that were not sent, by turn ID. */
  readonly edits: SavedEdits;
  /** Makes one page at a time announce arriving text to screen readers. */
  readonly voice: LiveRegionOwner;
  /** Called with the chat that the user does something in. */
  readonly onUse: (chat: Chat) => void;
  /** Called with a chat that a page no longer shows. */
  readonly onHidden: (chat: Chat) => void;
}

interface ChatsOptions extends ChatServices {
  readonly store: ConversationStore;
  readonly drafts: DraftStore;
  readonly knownKeys: KnownKeys;
  readonly agent: AgentServices;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  readonly lastTextEditor: LastTextEditor;
}

/** Called after events of any open chat, whether a page shows it or not. */
type ChatsListener = (chat: Chat, events: readonly TranscriptEvent[]) => void;

/** The open chats. Each can have its own streaming answer. */
export class Chats implements vscode.Disposable {
  readonly context: ChatContext;
  readonly #options: ChatsOptions;
  readonly #prompts: ChatPrompts;
  readonly #open = new Map<string, Promise<Chat>>();
  /** Redactors for the logs of open chats, by chat ID. */
  readonly #redactors = new Map<string, StreamRedactor>();
  /** The chats with a streaming answer. */
  readonly #heartbeat: StreamingHeartbeat;
  readonly #windows: CrossWindowSync;
  /** By chat, tokens of a resumed answer that are counted already. */
  readonly #counted = new Map<string, number>();
  readonly #voice = new LiveRegionOwner();
  #lastUsed: Chat | undefined;
  readonly #listeners = new Set<ChatsListener>();
  #closing = false;

  constructor(options: ChatsOptions) {
    this.#options = options;
    const { limits, lastTextEditor } = options;
    const receiverOf = (chat: AskedChat): Receiver | undefined => {
      const destination = destinationOf(options, chat);
      return destination.kind === "known" ? destination.receiver : undefined;
    };
    const clean = (text: string): Promise<string> => options.outgoing.cleanText(text);
    this.context = new ChatContext({ receiverOf, limits, lastTextEditor, clean });
    this.#prompts = new ChatPrompts(this.context, options.lastTextEditor);
    const { store } = options;
    // An answer can be silent for long. The heartbeat tells other windows that the answer is not interrupted.
    this.#heartbeat = new StreamingHeartbeat((id) => void store.beat(id));
    this.#windows = new CrossWindowSync(store, () => new Date());
  }

  listen(listener: ChatsListener): void {
    this.#listeners.add(listener);
  }

  create(): Chat {
    const chat = this.#build(crypto.randomUUID(), null, emptyTranscript);
    this.#open.set(chat.id, Promise.resolve(chat));
    return chat;
  }

  /** Returns the chat from memory, from its file, or from its unsent content. Undefined if none of these exists. */
  async find(id: string): Promise<Chat | undefined> {
    const open = await this.#open.get(id);
    if (open !== undefined) await this.#windows.catchUp(open);
    // The chat may have been released during the wait.
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const read = await this.#windows.read(id);
    const { drafts } = this.#options;
    const isUnsent = drafts.chatIds.includes(id) || drafts.selectionOf(id) !== undefined;
    if (read === undefined && !isUnsent) return undefined;
    // Another page may have opened the chat during the wait.
    const chat = this.#open.get(id) ?? Promise.resolve(this.#buildRead(id, read));
    this.#open.set(id, chat);
    return chat;
  }

  /** Returns the chat that a page showed before, or a new one. */
  async restore(id: string | undefined): Promise<Chat> {
    return (id === undefined ? undefined : await this.find(id)) ?? this.create();
  }

  /** Returns the chats that have a draft or attachments but no question. */
  async unsent(): Promise<readonly UnsentChat[]> {
    return unsentChats(await Promise.all(this.#open.values()), this.#options.drafts);
  }

  /**
   * Ends the streaming answers of these chats. Call this before you remove the chats: a removed chat has no Stop.
   */
  async end(ids: readonly string[]): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        const session = (await this.#open.get(id))?.session;
        const arriving = session?.transcript.arriving;
        if (arriving) await session?.end(arriving.id);
      }),
    );
  }

  /** Drops removed chats and their unsent content. The returned function restores both. */
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
        // The open chat also holds attachments too large to save.
        if (open !== undefined && !this.#open.has(id)) {
          this.#open.set(id, open);
          void open.then((chat) => this.release(chat));
        }
      }
      // The restored content may contain a key that was stored after the chats were removed.
      drafts.clean(this.#options.knownKeys);
    };
  }

  get pageSources(): ChatPageSources {
    const { connections, catalog, clients, limits, compatibility, efforts } = this.#options;
    const { outgoing, caps, loadCodeActions, drafts, knownKeys, agent } = this.#options;
    const prompts = this.#prompts;
    const newChat = (): Chat => this.create();
    const onHidden = (chat: Chat): void => this.release(chat);
    return {
      connections,
      catalog,
      clients,
      limits,
      compatibility,
      efforts,
      context: this.context,
      prompts,
      questions: {
        prompts,
        context: this.context,
        outgoing,
        caps,
        selectionOf: (chat, choice) => {
          const destination = destinationOf(this.#options, chat, choice);
          return destination.kind === "known" ? destination.selection : undefined;
        },
        currentNameOf: (answer) => connections.currentNameOf(answer),
        originOf: (name) => connections.originOf(name),
        dialogs: createQuestionDialogs(this.#options),
        obstacleTo: (chat, choice) => obstacleOf(compatibility, destinationOf(this.#options, chat, choice)),
        takesPdf: (chat, choice) => takesPdfAt(compatibility, destinationOf(this.#options, chat, choice)),
        newChat,
        release: onHidden,
      },
      loadCodeActions,
      changes: agent.changes,
      typing: agent.typing,
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

  /** The chat that the user last did something in. */
  get lastUsed(): Chat | undefined {
    return this.#lastUsed;
  }

  /** Releases a chat that no page shows, if no answer arrives in it and nothing is unsent. */
  release(chat: Chat): void {
    if (!chat.idle) return;
    if (!this.#options.store.isWritten(chat.id)) {
      void this.#releaseOnceWritten(chat);
      return;
    }
    this.#open.delete(chat.id);
    this.#redactors.delete(chat.id);
    if (this.#options.drafts.selectionOf(chat.id) !== undefined) void this.#dropSelection(chat.id);
  }

  /** Drops the selection of an empty chat that no page shows, unless the window closes. */
  async #dropSelection(id: string): Promise<void> {
    // VS Code disposes the pages of a closing window before `close` runs.
    await nextTask();
    if (!this.#closing && !this.#open.has(id)) this.#options.drafts.saveSelection(id, undefined);
  }

  /** Releases a chat after it is written. If writing fails, as on a full disk, the chat stays for the next attempt. */
  async #releaseOnceWritten(chat: Chat): Promise<void> {
    if (await this.#options.store.log(chat.id).flush()) this.release(chat);
  }

  /** Stops streaming answers and writes everything that is pending. */
  async close(): Promise<void> {
    for (const [id, redactor] of this.#redactors) {
      const rest = this.#heartbeat.has(id) ? redactor.redact([interrupted]) : redactor.flush();
      if (rest.length > 0) this.#options.store.log(id).append(rest);
    }
    // Log nothing more. The files already mark streaming answers as interrupted. `dispose` must not mark them as
    // stopped by the user.
    this.#closing = true;
    this.dispose();
    await Promise.all([this.#options.store.close(), this.#options.drafts.close()]);
  }

  dispose(): void {
    for (const opened of this.#open.values()) void opened.then(({ session }) => session.stop(windowCloses));
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
    const { drafts, knownKeys, connections } = this.#options;
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
      // A question asked while the window closes could not be saved, so it stays a draft.
      target: (question, choice, resumed) =>
        this.#closing
          ? undefined
          : this.#targetOf(chat, isCompaction(question) ? "compaction" : "chat", choice, (receiver) =>
              // A summary needs no tools.
              isCompaction(question) ? undefined : this.#toolsFor(chat, question, resumed, receiver),
            ),
      mode: drafts.modeOf(id),
      saveMode: (mode) => drafts.saveMode(id, mode),
      selected: () => {
        const saved = drafts.selectionOf(id);
        return saved?.after === connections.selections ? saved.selection : undefined;
      },
      saveSelection: (selection) => drafts.saveSelection(id, { selection, after: connections.selections }),
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
      log: (events) => this.#log(chat, redactor, events),
      catchUp: (seen) => void this.#windows.catchUp(seen),
    });
    return chat;
  }

  /** @throws Error if the chat has no connection that the user has selected in this workspace */
  #targetOf(
    chat: Chat,
    kind: "chat" | "compaction",
    choice: ChatTargetChoice | undefined,
    createTools: (receiver: Receiver) => AnswerTools | undefined,
  ): ChatTarget {
    const asked = destinationOf(this.#options, chat, choice);
    if (asked.kind !== "known" || !asked.isSelected) throw new Error(unreachableText(asked));
    const target = createChatTarget(this.#options, { kind, chat: chat.id }, asked.receiver, { createTools });
    // A choice is for one answer only. The chat keeps its own selection.
    const own = choice === undefined ? asked : destinationOf(this.#options, chat);
    const isOneTime = own.kind !== "known" || !isDeepStrictEqual(own.receiver, asked.receiver);
    return {
      ...target,
      isOneTime,
      ...(own.kind === "known" && own.isSelected ? { selection: own.selection } : {}),
    };
  }

  /** Tokens of the streaming answer that were counted before it was resumed. */
  #countedOf(chat: Chat): number {
    return this.#counted.get(chat.id) ?? 0;
  }

  #answerStarted(chat: Chat, events: readonly TranscriptEvent[]): void {
    this.#heartbeat.add(chat.id);
    const { transcript } = chat.session;
    const { arriving } = transcript;
    if (arriving === null) return;
    const isResumed = events.some(({ type }) => type === "answer-resumed");
    this.#counted.set(chat.id, isResumed ? spentOn(transcript, arriving) : 0);
    // The answer itself stores its mode, unless the mode could not be used.
    if (modeOf(arriving) === chat.mode) this.#options.drafts.saveMode(chat.id, undefined);
  }

  /** The tools of the next answer; undefined in Ask mode, or if an obstacle keeps the mode from being used. */
  #toolsFor(
    chat: Chat,
    question: QuestionTurn,
    resumed: AnswerTurn | undefined,
    receiver: Receiver,
  ): AnswerTools | undefined {
    const { caps, compatibility, outgoing } = this.#options;
    const { connection } = receiver;
    if (chat.mode === "ask" || receiverObstacle(compatibility, receiver) !== undefined) return undefined;
    return createAnswerTools({
      mode: chat.mode,
      chatId: chat.id,
      services: this.#options.agent,
      earlierSteps: resumed?.steps,
      countAttachedFromOutside: () => countAttachedFromOutside(question, chat.session.transcript.arriving),
      maySend: () => caps.maySendNext(chat.id, chat.session.transcript, connection, this.#countedOf(chat)),
      clean: (text) => outgoing.cleanText(text),
      cleanArriving: (text) => outgoing.cleanArrivingText(text),
    });
  }

  #log(chat: Chat, redactor: StreamRedactor, events: readonly TranscriptEvent[]): Promise<unknown> {
    const { store } = this.#options;
    for (const listener of this.#listeners) listener(chat, events);
    if (this.#closing) return Promise.resolve();
    const log = store.log(chat.id);
    log.append(redactor.redact(events));
    // The chat's file has the selection now.
    if (events.some(({ type }) => type === "target-selected"))
      this.#options.drafts.saveSelection(chat.id, undefined);
    const moments = new Set(events.map(({ type }) => eventTraits[type].moment));
    if (moments.has("answer-start")) this.#answerStarted(chat, events);
    if (moments.has("answer-end")) this.#answerEnded(chat);
    return events.some(isTurnWhole) ? withinDiskTimeout(log.flush()) : Promise.resolve();
  }

  /** Records the tokens of the answer that just ended, and releases the chat if possible. */
  #answerEnded(chat: Chat): void {
    this.#heartbeat.delete(chat.id);
    const answer = chat.session.transcript.turns.at(-1);
    if (answer?.kind === "answer") {
      // A token count that cannot be saved must not disturb the chat.
      const tokens = spentOn(chat.session.transcript, answer) - this.#countedOf(chat);
      this.#options.spending.add(answer.connection, tokens).catch(() => undefined);
    }
    // The session still counts as busy while it reports the end.
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

/** Logged for a streaming answer when the window closes, so that other windows do not wait for the rest. */
const interrupted: TranscriptEvent = { type: "answer-ended", state: { kind: "interrupted" } };

/** Maximum time that pages wait for the disk before they receive events, in milliseconds. */
const diskTimeoutMs = 1000;

async function withinDiskTimeout(written: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, diskTimeoutMs);
  });
  await Promise.race([written, waited]);
  clearTimeout(timer);
}

/** The chats with their storage. */
export interface LoadedChats {
  readonly chats: Chats;
  readonly store: ConversationStore;
  readonly drafts: DraftStore;
  readonly knownKeys: KnownKeys;
  readonly agent: AgentServices;
  /** Call this when a key or connection has changed. Removes keys from saved unsent content. */
  readonly readKeys: () => Promise<void>;
  readonly spending: Spending;
  readonly caps: TokenCaps;
}

/**
 * Loads the unsent content and the keys to remove, and creates the chats. Writes nothing until there is something to
 * save.
 */
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
  // A key may have been stored since the drafts were saved, possibly in another window.
  drafts.clean(knownKeys);
  const readKeys = async (): Promise<void> => {
    await knownKeys.read();
    drafts.clean(knownKeys);
  };
  const chats = new Chats({ ...options, drafts, knownKeys });
  const { store, spending, caps, agent } = options;
  return { chats, store, drafts, knownKeys, agent, readKeys, spending, caps };
}

function storageOf({ storageUri, globalStorageUri }: Storage): string {
  return storageUri === undefined ? globalStorageUri.fsPath : sharedStorage(storageUri.fsPath);
}
