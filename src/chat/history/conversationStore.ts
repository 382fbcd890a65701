import { isReadable, readConversation, type StoredConversation } from "./log/conversationFile.ts";
import {
  ConversationFolder,
  type MoveFailure,
  type TrashedFile,
  filesInTrashFor,
} from "./log/conversationFolder.ts";
import { ConversationIndex } from "./log/conversationIndex.ts";
import {
  convertConversationToJson,
  convertJsonToConversation,
  convertTurnsToEvents,
  type ConversationFormat,
  type PortableConversation,
  withoutReasoning,
} from "./export/portableConversation.ts";
import { ConversationLog, type LoggedConversations } from "./log/conversationLog.ts";
import {
  convertConversationToMarkdown,
  convertMarkdownToConversation,
} from "./export/conversationMarkdown.ts";
import { maxTitleLength } from "./log/conversationRecord.ts";
import { ConversationSearch, type SearchMatch } from "./search/conversationSearch.ts";
import { type ConversationSummary, firstQuestionLine } from "./log/conversationSummary.ts";
import { isErrorCode, type FileStamp } from "../../files/diskFiles.ts";
import { forEachAtOnce } from "../../files/concurrency.ts";
import type { KeyCleaner } from "./log/streamRedactor.ts";
import { NameSearch } from "./search/nameSearch.ts";
import { reduceTranscript, type Transcript } from "../transcript/transcript.ts";

/** Days before a removed conversation is deleted. */
const daysInTrash = 30;
const movesAtOnce = 8;
const millisecondsPerDay = 24 * 60 * 60 * 1000;

interface ConversationStoreOptions {
  /** Created with the first conversation. */
  readonly folder: string;
  /**
   * Called once when a conversation cannot be written, for example if the disk is full. The events stay in memory,
   * and writing is retried.
   */
  readonly onWriteError: (error: unknown, id: string) => void;
  /**
   * Called when this window continues a conversation that was moved to the trash. Continuing restores it.
   */
  readonly onBroughtBack: (id: string) => void;
  readonly now: () => Date;
  /** Returns a new UUID. */
  readonly newId: () => string;
}

/** The result of restoring conversations. */
interface Restoration {
  /** Number of these conversations that exist again, including those that another window restored. */
  readonly restored: number;
  readonly failures: readonly MoveFailure[];
}

/** Restores as many removed conversations as possible. Can be called again after failures. */
export type UndoRemoval = () => Promise<Restoration>;

/** The result of removing conversations. */
interface Removal {
  /** IDs of the removed conversations, including those that another window removed. */
  readonly removed: readonly string[];
  readonly failures: readonly MoveFailure[];
  readonly undo: UndoRemoval;
}

/**
 * The conversations of one workspace. Each conversation is an append-only file, and several windows may share the
 * folder. Methods that read or move files reject with system errors. An ID that is not a UUID causes a RangeError.
 */
export class ConversationStore {
  /** Cached titles, shared by all lists. */
  readonly names = new NameSearch();
  readonly #options: ConversationStoreOptions;
  readonly #folder: ConversationFolder;
  readonly #index: ConversationIndex;
  readonly #search: ConversationSearch;
  readonly #logged: LoggedConversations;
  readonly #logs = new Map<string, ConversationLog>();
  /** IDs of conversations whose file existed. If the file is missing now, the conversation was moved to the trash. */
  readonly #seen = new Set<string>();

  constructor(options: ConversationStoreOptions) {
    this.#options = options;
    this.#folder = new ConversationFolder(options.folder);
    this.#index = new ConversationIndex(this.#folder, options.newId());
    this.#search = new ConversationSearch(this.#folder);
    const { onWriteError, onBroughtBack } = options;
    this.#logged = {
      isKnown: (id) => this.#seen.has(id),
      openToAppend: (id, use) => this.#folder.openToAppend(id, use),
      onWritten: (id) => this.#index.outdate([id]),
      onBroughtBack,
      onWriteError,
    };
  }

  /** Returns the log of a new or stored conversation, always the same object. The first event creates the file. */
  log(id: string): ConversationLog {
    this.#folder.pathOf(id);
    return this.#logs.get(id) ?? this.#addLog(id, this.#options.now());
  }

  /** Whether the file contains all events of this window. */
  isWritten(id: string): boolean {
    return this.#logs.get(id)?.isWritten ?? true;
  }

  /** Bytes that this window wrote to the file. Other windows wrote the rest. */
  bytesWritten(id: string): number {
    return this.#logs.get(id)?.bytesWritten ?? 0;
  }

  /** Size and time of a chat's file, which other windows write too. Undefined if there is no file. */
  stampOf(id: string): Promise<FileStamp | undefined> {
    return this.#folder.stampOf(id);
  }

  /** Updates the file's time, so that other windows know that an unwritten answer is still streaming. */
  async beat(id: string): Promise<void> {
    // Without a file, other windows have nothing to check.
    await this.#folder.touch(id).catch(() => undefined);
  }

  /** Reads a conversation. Resolves to undefined if it does not exist. */
  async open(id: string): Promise<StoredConversation | undefined> {
    const known = this.#logs.get(id);
    if (known !== undefined) await known.flush();
    try {
      const stored = await readConversation(this.#folder.read(id));
      this.#seen.add(id);
      return stored;
    } catch (error) {
      if (isErrorCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  /** Newest first. */
  async list(): Promise<readonly ConversationSummary[]> {
    return (await this.#index.conversations()).map(({ summary }) => summary);
  }

  /** Lists conversations from the cache and this window's changes, without checking all files. */
  async listKnown(): Promise<readonly ConversationSummary[]> {
    return (await this.#index.knownConversations()).map(({ summary }) => summary);
  }

  /** Lists the first conversations from the cache, pinned ones first. Fast, but possibly outdated. */
  async listFirst(limit: number): Promise<readonly ConversationSummary[]> {
    return (await this.#index.firstConversations(limit)).map(({ summary }) => summary);
  }

  /**
   * Renames a conversation. An empty title restores the first question's text. Resolves to false if the rename was
   * not written.
   */
  async rename(id: string, title: string): Promise<boolean> {
    const line = title.replace(/\s+/gu, " ").trim().slice(0, maxTitleLength);
    return this.#changeMeta(id, { title: line === "" ? null : line });
  }

  async pin(id: string, pinned: boolean): Promise<boolean> {
    return this.#changeMeta(id, { pinned });
  }

  /** Moves a conversation to the trash for 30 days. */
  async remove(id: string): Promise<UndoRemoval> {
    const { failures, undo } = await this.removeAll([id]);
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
    return undo;
  }

  /** Moves several conversations to the trash. A failure does not stop the others. */
  async removeAll(ids: readonly string[]): Promise<Removal> {
    for (const id of ids) await this.#logs.get(id)?.close();
    const { trashed, failures } = await this.#folder.moveToTrash(ids, this.#options.now());
    this.#index.outdate(ids);
    const kept = new Set(failures.map(({ id }) => id));
    return {
      removed: ids.filter((id) => !kept.has(id)),
      failures,
      undo: () => this.#restoreAll(trashed),
    };
  }

  /** IDs of all conversations, with those in the trash. */
  async existingIds(): Promise<ReadonlySet<string>> {
    return this.#folder.existingIds();
  }

  /** Deletes files that have been in the trash for 30 days. */
  async purge(): Promise<void> {
    const { folder, newId, now } = this.#options;
    const look = { folder, id: newId(), now: now().getTime() };
    await this.#folder.purge((trashed) => filesInTrashFor(daysInTrash * millisecondsPerDay, trashed, look));
  }

  /**
   * Finds conversations that contain all words in titles, questions or answers of any branch. Ignores case.
   * Yields each match when it is found, newest first. Leave the loop or abort `signal` to stop.
   */
  async *search(query: string, signal: AbortSignal): AsyncGenerator<SearchMatch> {
    yield* this.#search.search(await this.#index.recentConversations(), query, signal);
  }

  /**
   * Exports a conversation, without any key that is known now. Resolves to undefined if there is no such conversation.
   * @param shown the displayed conversation, for events that are not in the file yet.
   * @param hasReasoning whether JSON includes the reasoning. Markdown never includes it.
   */
  async exportConversation(
    id: string,
    format: ConversationFormat,
    cleaner: Pick<KeyCleaner, "cleanText">,
    shown?: Pick<PortableConversation, "title" | "transcript">,
    hasReasoning = false,
  ): Promise<string | undefined> {
    const stored = await this.open(id);
    const conversation =
      shown === undefined || this.isWritten(id)
        ? stored
        : { pinned: false, createdAt: null, ...stored, ...shown, transcript: interrupt(shown.transcript) };
    if (conversation === undefined) return undefined;
    const title = conversation.title ?? firstQuestionLine(conversation.transcript);
    return cleaner.cleanText(
      format === "json"
        ? convertConversationToJson(hasReasoning ? conversation : withoutReasoning(conversation))
        : convertConversationToMarkdown(conversation, title),
    );
  }

  /**
   * Stores an exported conversation under a new ID, without keys, and resolves to the ID. Resolves to undefined if the
   * text is invalid or a turn is too long.
   */
  async importConversation(
    text: string,
    format: ConversationFormat,
    cleaner: Pick<KeyCleaner, "cleanText" | "cleanEvent">,
  ): Promise<string | undefined> {
    const { newId } = this.#options;
    const read =
      format === "json" ? convertJsonToConversation(text) : convertMarkdownToConversation(text, newId);
    return read === undefined ? undefined : this.#add(read, cleaner);
  }

  /** Writes pending events and closes all files. */
  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()));
    await this.#index.save();
  }

  async #add(
    { title, pinned, createdAt, transcript }: PortableConversation,
    cleaner: Pick<KeyCleaner, "cleanText" | "cleanEvent">,
  ): Promise<string | undefined> {
    const { newId, now } = this.#options;
    const read = convertTurnsToEvents(transcript.turns, transcript.leafId);
    const events = read.map((event) => cleaner.cleanEvent(event));
    if (!events.every(isReadable)) return undefined;
    const id = newId();
    const created = new Date(createdAt ?? "");
    const log = this.#addLog(id, Number.isNaN(created.getTime()) ? now() : created);
    log.append(events);
    const name = title === null ? null : cleaner.cleanText(title).slice(0, maxTitleLength);
    await log.appendMeta({ title: name, pinned });
    await log.close();
    return id;
  }

  #addLog(id: string, createdAt: Date): ConversationLog {
    const log = new ConversationLog({ id, writer: this.#options.newId(), createdAt }, this.#logged);
    this.#logs.set(id, log);
    return log;
  }

  async #changeMeta(
    id: string,
    meta: { readonly title?: string | null; readonly pinned?: boolean },
  ): Promise<boolean> {
    if (!this.#logs.has(id) && (await this.stampOf(id)) === undefined) return false;
    this.#seen.add(id);
    return this.log(id).appendMeta(meta);
  }

  async #restoreAll(trashed: readonly TrashedFile[]): Promise<Restoration> {
    let restored = 0;
    const failures: MoveFailure[] = [];
    await forEachAtOnce(movesAtOnce, trashed, async (file) => {
      try {
        if (await this.#folder.restore(file)) restored += 1;
      } catch (error) {
        failures.push({ id: file.id, error });
      }
    });
    this.#index.outdate(trashed.map(({ id }) => id));
    return { restored, failures };
  }
}

/** Ends a streaming answer as interrupted, as reading its file would. */
function interrupt(transcript: Transcript): Transcript {
  return reduceTranscript(transcript, { type: "answer-ended", state: { kind: "interrupted" } });
}
