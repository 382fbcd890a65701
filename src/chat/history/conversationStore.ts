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

/** What was thrown away stays so long. */
const daysInTrash = 30;
const movesAtOnce = 8;
const millisecondsPerDay = 24 * 60 * 60 * 1000;

interface ConversationStoreOptions {
  /** Made when the first conversation is written. */
  readonly folder: string;
  /**
   * Hears once when a conversation can no longer be written down, such as on a full disk. It is kept in
   * memory and tried again.
   */
  readonly onWriteError: (error: unknown, id: string) => void;
  /** Hears of a conversation that another window had thrown away, and that is back since it is gone on with here. */
  readonly onBroughtBack: (id: string) => void;
  readonly now: () => Date;
  /** A new UUID. */
  readonly newId: () => string;
}

/** What came of taking back what was removed. */
interface Restoration {
  /** How many of these conversations are there again, whoever took them back. */
  readonly restored: number;
  readonly failures: readonly MoveFailure[];
}

/** Takes back what was removed, as much of it as can be; to be tried again where there were failures. */
export type UndoRemoval = () => Promise<Restoration>;

/** What came of removing conversations. */
interface Removal {
  /** The ids of those that are gone, also where others had removed them. */
  readonly removed: readonly string[];
  readonly failures: readonly MoveFailure[];
  readonly undo: UndoRemoval;
}

/**
 * The conversations of one workspace. Each is a file that is only appended to; several windows may share
 * the folder. Methods that read or move files reject with what the system says. An id that is no UUID is
 * a RangeError.
 */
export class ConversationStore {
  /** What one list has read of the titles serves the next as well. */
  readonly names = new NameSearch();
  readonly #options: ConversationStoreOptions;
  readonly #folder: ConversationFolder;
  readonly #index: ConversationIndex;
  readonly #search: ConversationSearch;
  readonly #logged: LoggedConversations;
  readonly #logs = new Map<string, ConversationLog>();
  /** What was seen to be there: where it is not any more, it was thrown away. */
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

  /** The log of a new or a stored conversation; the same one each time. The file comes with the first event. */
  log(id: string): ConversationLog {
    this.#folder.pathOf(id);
    return this.#logs.get(id) ?? this.#addLog(id, this.#options.now());
  }

  /** Whether all that happened in it here is in its file. */
  isWritten(id: string): boolean {
    return this.#logs.get(id)?.isWritten ?? true;
  }

  /** Bytes of its file that were written here; what else is there was written by others. */
  bytesWritten(id: string): number {
    return this.#logs.get(id)?.bytesWritten ?? 0;
  }

  /** Size and time of a chat's file, which other windows write too. Undefined if there is no file. */
  stampOf(id: string): Promise<FileStamp | undefined> {
    return this.#folder.stampOf(id);
  }

  /** Tells other windows by its file's time that an answer in it goes on, while nothing of it is written. */
  async beat(id: string): Promise<void> {
    // Without a file there is nothing to be seen by them.
    await this.#folder.touch(id).catch(() => undefined);
  }

  /** Undefined where there is no such conversation. */
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

  /** The newest first. */
  async list(): Promise<readonly ConversationSummary[]> {
    return (await this.#index.conversations()).map(({ summary }) => summary);
  }

  /** The same as they were when they were last looked at, with what this window has done since: without all the files. */
  async listKnown(): Promise<readonly ConversationSummary[]> {
    return (await this.#index.knownConversations()).map(({ summary }) => summary);
  }

  /** The first of the list, pinned ones ahead, as it was when it was last looked at: at once, and perhaps outdated. */
  async listFirst(limit: number): Promise<readonly ConversationSummary[]> {
    return (await this.#index.firstConversations(limit)).map(({ summary }) => summary);
  }

  /** An empty title gives back that of the first question. False where it is not written yet. */
  async rename(id: string, title: string): Promise<boolean> {
    const line = title.replace(/\s+/gu, " ").trim().slice(0, maxTitleLength);
    return this.#changeMeta(id, { title: line === "" ? null : line });
  }

  async pin(id: string, pinned: boolean): Promise<boolean> {
    return this.#changeMeta(id, { pinned });
  }

  /** Moves it to the trash, where it stays for 30 days. */
  async remove(id: string): Promise<UndoRemoval> {
    const { failures, undo } = await this.removeAll([id]);
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
    return undo;
  }

  /** The same for several; one that cannot be moved keeps no other one back. */
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

  /** Ends for good what was seen to be in the trash for 30 days. */
  async purge(): Promise<void> {
    const { folder, newId, now } = this.#options;
    const look = { folder, id: newId(), now: now().getTime() };
    await this.#folder.purge((trashed) => filesInTrashFor(daysInTrash * millisecondsPerDay, trashed, look));
  }

  /**
   * The conversations that hold every word somewhere, in titles, questions or answers of any branch,
   * whatever their case; the newest first, each as soon as it is found. Leave the loop or abort to end it.
   */
  async *search(query: string, signal: AbortSignal): AsyncGenerator<SearchMatch> {
    yield* this.#search.search(await this.#index.recentConversations(), query, signal);
  }

  /**
   * Without keys, also those that were stored after it was written; undefined where there is no such conversation.
   * @param shown what is on the screen; it counts where it cannot be written down
   * @param hasReasoning whether JSON holds what was thought ahead of the answers; Markdown never does
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
   * Stores it without keys as a new conversation and gives its id; undefined where the text is no exported conversation,
   * or has a turn that is longer than any of ours.
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

  /** Writes what is left to be written and lets go of all files. */
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

/** As it would be read from its file: what arrives has no end there. */
function interrupt(transcript: Transcript): Transcript {
  return reduceTranscript(transcript, { type: "answer-ended", state: { kind: "interrupted" } });
}
