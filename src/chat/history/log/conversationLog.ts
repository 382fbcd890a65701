import type { FileHandle } from "node:fs/promises";
import { encodeRecord } from "./conversationFile.ts";
import type { AppendHandle, AppendUse } from "./conversationFolder.ts";
import { conversationVersion, type MetaRecord, type EventsRecord } from "./conversationRecord.ts";
import {
  type RecordEvent,
  type StoredEvent,
  eventTraits,
  isDelta,
  type TranscriptEvent,
  type QuestionTurn,
} from "../../transcript/transcript.ts";
import { contentLength } from "../../transcript/attachments.ts";

/** Milliseconds that an arriving text may wait for more of it. */
const writePause = 150;
/** Milliseconds until a write that failed is tried again; doubled each time. */
const firstRetry = 1000;
const maxRetryMs = 30_000;

interface ConversationLogOptions {
  readonly id: string;
  /** Unlike that of any other log, whichever process it is in. */
  readonly writer: string;
  readonly createdAt: Date;
}

/** Where the conversations of one store are written to: one for all of their logs. */
export interface LoggedConversations {
  /** Whether it has been read, or found to be there, already. */
  readonly isKnown: (id: string) => boolean;
  readonly openToAppend: (id: string, use: AppendUse) => Promise<AppendHandle>;
  readonly onWritten: (id: string) => void;
  /** Hears that the conversation was in the trash, and is no longer since a person goes on with it. */
  readonly onBroughtBack: (id: string) => void;
  /** Hears of the first failure; then not again until a write has succeeded. */
  readonly onWriteError: (error: unknown, id: string) => void;
}

/**
 * Writes one conversation down as it happens. What could not be written stays in memory and is tried
 * again, so nothing here throws or rejects. The file is held open for as long as an answer arrives.
 *
 * A record is one write of the system, so it outlives this process once `flush` has told so. Ends of
 * answers and what a person says are also brought to the disk (fdatasync), but nobody waits for that: a
 * power cut may cost the last moments before it.
 */
export class ConversationLog {
  readonly #options: ConversationLogOptions;
  readonly #conversations: LoggedConversations;
  readonly #pending = new PendingRecords();
  /** The line being written, or that could not be. */
  #line: string | undefined;
  #number = 0;
  #bytesWritten = 0;
  #handle: FileHandle | undefined;
  #known = false;
  /** Whether a person went on with it since the file was last opened. */
  #goesOn = false;
  #arrives = false;
  /** Whether the file is ours to begin, and its first record has not been written. */
  #headless = false;
  #syncDue = false;
  #draining: Promise<boolean> | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #retryIn = 0;

  constructor(options: ConversationLogOptions, conversations: LoggedConversations) {
    this.#options = options;
    this.#conversations = conversations;
  }

  get id(): string {
    return this.#options.id;
  }

  /** Bytes that are in the file by this log; what else is there was written by others. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /** Whether all that was appended is in the file. */
  get isWritten(): boolean {
    return this.#pending.empty && this.#line === undefined;
  }

  /** Takes what happened. Text is written within 150 ms, everything else at once. */
  append(events: readonly TranscriptEvent[]): void {
    for (const event of events) this.#take(event);
    this.#syncDue ||= events.some(isLasting);
    if (this.#pending.empty || this.#retryIn > 0) return;
    if (events.every(isDelta)) {
      this.#timer ??= setTimeout(() => void this.flush(), writePause);
    } else {
      void this.flush();
    }
  }

  /** Like `flush`, after a change of what a person says about the conversation. */
  appendMeta(meta: Pick<MetaRecord, "title" | "pinned">): Promise<boolean> {
    this.#pending.addMeta(meta);
    this.#syncDue = true;
    return this.flush();
  }

  /**
   * Writes what was appended so far. False where it could not be written; it is then kept, and tried again.
   */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#draining === undefined && (!this.#pending.empty || this.#line !== undefined)) {
      this.#draining = this.#drain();
    }
    return this.#draining ?? Promise.resolve(true);
  }

  /** Flushes, brings it to the disk, and lets go of the file. A later `append` opens it again. */
  async close(): Promise<boolean> {
    const written = await this.flush();
    // Something may have been said meanwhile, and is being written.
    if (this.#draining === undefined) this.#release();
    await this.#syncing;
    return written;
  }

  #take(event: TranscriptEvent): void {
    this.#pending.addEvent(event);
    // An answer is only asked for by a person.
    const { moment } = eventTraits[event.type];
    if (moment === "question" || moment === "answer-start") this.#goesOn = true;
    if (moment === "answer-start") this.#arrives = true;
    if (moment === "answer-end") this.#arrives = false;
  }

  async #drain(): Promise<boolean> {
    // What is appended in the same turn of the loop becomes one record.
    await Promise.resolve();
    try {
      for (this.#line ??= this.#nextLine(); this.#line !== undefined; this.#line = this.#nextLine()) {
        await this.#write(this.#line);
        this.#conversations.onWritten(this.id);
      }
      this.#retryIn = 0;
      this.#sync();
      if (!this.#arrives) this.#release();
      return true;
    } catch (error) {
      this.#release();
      this.#retryLater(error);
      return false;
    } finally {
      this.#draining = undefined;
    }
  }

  #nextLine(): string | undefined {
    const record = this.#pending.take();
    if (record === undefined) return undefined;
    this.#number += 1;
    return encodeRecord({ ...record, writer: this.#options.writer, number: this.#number });
  }

  async #write(line: string): Promise<void> {
    // It may have been moved since, and with it what is held open.
    if (this.#goesOn) this.#release();
    const opened = this.#handle === undefined ? await this.#open() : undefined;
    const handle = opened?.handle ?? this.#handle;
    if (handle === undefined) return;
    // The header goes with the first record, so that no file is without either for long.
    const text = this.#headless ? this.#header() + line : line;
    const bytesWritten = await writeWhole(handle, opened?.created === true ? text.trimStart() : text);
    this.#bytesWritten += bytesWritten;
    this.#headless = false;
  }

  async #open(): Promise<AppendHandle> {
    const { isKnown, openToAppend, onBroughtBack } = this.#conversations;
    const known = this.#known || isKnown(this.id);
    const goesOn = this.#goesOn;
    const opened = await openToAppend(this.id, { known, goesOn });
    this.#handle = opened.handle;
    this.#known = true;
    if (goesOn) this.#goesOn = false;
    if (opened.broughtBack) onBroughtBack(this.id);
    this.#headless ||= opened.created;
    return opened;
  }

  #header(): string {
    const { id, createdAt } = this.#options;
    const version = conversationVersion;
    return encodeRecord({ type: "conversation", version, id, createdAt: createdAt.toISOString() });
  }

  #sync(): void {
    const handle = this.#handle;
    if (handle === undefined || !this.#syncDue) return;
    this.#syncDue = false;
    this.#syncing = this.#syncing.then(() => handle.datasync()).catch(() => undefined);
  }

  /** Lets go of the file once it is on the disk; nobody waits for that. */
  #release(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    // What was written is written; a handle that cannot be closed is gone as well.
    this.#syncing = this.#syncing.then(() => handle.close()).catch(() => undefined);
  }

  #retryLater(error: unknown): void {
    if (this.#retryIn === 0) this.#conversations.onWriteError(error, this.id);
    this.#retryIn = Math.min(Math.max(this.#retryIn * 2, firstRetry), maxRetryMs);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), this.#retryIn);
    this.#timer.unref();
  }
}

/** What a person says, and ends of answers. */
function isLasting({ type }: TranscriptEvent): boolean {
  return eventTraits[type].isLasting;
}

/**
 * Writes it in one piece, and gives its bytes. The rest of a torn line must not follow it, since another window may
 * have written.
 */
async function writeWhole(handle: FileHandle, text: string): Promise<number> {
  const bytes = Buffer.from(text, "utf8");
  for (let tries = 0; tries < 2; tries += 1) {
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten === bytes.length) return bytesWritten;
  }
  // What the system says where not even a part is taken.
  throw Object.assign(new Error("The disk took only a part of what was to be written."), { code: "ENOSPC" });
}

/** Characters; what goes beyond them goes into another record, and so does a question that is longer on its own. */
const maxPieceLength = 1024 * 1024;
const maxEvents = 10_000;

export type PendingRecord = Pick<EventsRecord, "type" | "events"> | Omit<MetaRecord, "writer" | "number">;

function isStored(event: TranscriptEvent): event is StoredEvent {
  return eventTraits[event.type].stored === "event";
}

function isRecord(event: TranscriptEvent): event is RecordEvent {
  return eventTraits[event.type].stored === "record";
}

/** What is to be written, in order. Neighbouring pieces of text are joined, at a cost per piece that is the same always. */
export class PendingRecords {
  readonly #records: PendingRecord[] = [];
  #events: TranscriptEvent[] = [];
  /** Characters of them. */
  #length = 0;

  get empty(): boolean {
    return this.#records.length === 0 && this.#events.length === 0;
  }

  addEvent(event: TranscriptEvent): void {
    if (isRecord(event)) {
      const { turnId, included } = event;
      this.addMeta({ question: { turnId, included } });
    } else if (isStored(event)) this.#addStored(event);
  }

  #addStored(event: StoredEvent): void {
    const length = lengthOf(event);
    if (this.#length + length > maxPieceLength || this.#events.length >= maxEvents) this.#seal();
    this.#length += length;
    const last = this.#events.at(-1);
    if (!isDelta(event)) {
      this.#events.push(event);
      return;
    }
    if (last?.type === event.type) {
      this.#events[this.#events.length - 1] = { type: event.type, text: last.text + event.text };
    } else {
      this.#events.push(event);
    }
  }

  addMeta(meta: Omit<MetaRecord, "type" | "writer" | "number">): void {
    this.#seal();
    this.#records.push({ type: "meta", ...meta });
  }

  /** The oldest record, which is then no longer pending. */
  take(): PendingRecord | undefined {
    if (this.#records.length === 0) this.#seal();
    return this.#records.shift();
  }

  #seal(): void {
    if (this.#events.length > 0) this.#records.push({ type: "events", events: this.#events });
    this.#events = [];
    this.#length = 0;
  }
}

/** What may be long of it. */
function lengthOf(event: StoredEvent): number {
  if (event.type === "question-asked") return questionLength(event.turn);
  return isDelta(event) ? event.text.length : 0;
}

function questionLength({ text, prompt, attachments = [], instructions = [] }: QuestionTurn): number {
  const contents = [...attachments, ...instructions].map(contentLength);
  return contents.reduce((sum, length) => sum + length, text.length + (prompt?.text.length ?? 0));
}
