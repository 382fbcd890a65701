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

/** Maximum milliseconds that streaming text is buffered before a write. */
const writePause = 150;
/** Milliseconds before a failed write is retried. Doubles with each failure. */
const firstRetry = 1000;
const maxRetryMs = 30_000;

interface ConversationLogOptions {
  readonly id: string;
  /** Unique among all logs of all processes. */
  readonly writer: string;
  readonly createdAt: Date;
}

/** The functions and callbacks that a store provides to its logs. */
export interface LoggedConversations {
  /** Whether the conversation has been read, or is known to exist. */
  readonly isKnown: (id: string) => boolean;
  readonly openToAppend: (id: string, use: AppendUse) => Promise<AppendHandle>;
  readonly onWritten: (id: string) => void;
  /** Called when a conversation leaves the trash because the user continues it. */
  readonly onBroughtBack: (id: string) => void;
  /** Called on the first failure, and again only after a successful write. */
  readonly onWriteError: (error: unknown, id: string) => void;
}

/**
 * Writes a conversation to its file. Unwritten records stay in memory and are retried, so no method throws or rejects.
 * The file stays open while an answer is streaming.
 *
 * Each record is one system write, so it survives a crash of this process after `flush` has resolved. Ends of answers
 * and changes by the user are also synced to disk (fdatasync), but only `close` waits for that. A power failure may
 * therefore lose the last moments.
 */
export class ConversationLog {
  readonly #options: ConversationLogOptions;
  readonly #conversations: LoggedConversations;
  readonly #pending = new PendingRecords();
  /** The line that is being written, or whose write failed. */
  #line: string | undefined;
  #number = 0;
  #bytesWritten = 0;
  #handle: FileHandle | undefined;
  #known = false;
  /** Whether the user continued the conversation since the file was last opened. */
  #goesOn = false;
  #arrives = false;
  /** Whether this log created the file and still has to write the header with the first record. */
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

  /** Bytes that this log wrote to the file. Other writers wrote the rest. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /** Whether the file contains everything that was appended. */
  get isWritten(): boolean {
    return this.#pending.empty && this.#line === undefined;
  }

  /** Appends events. Text is written within 150 ms, everything else immediately. */
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

  /** Appends a change of the title or of pinning, then flushes like `flush`. */
  appendMeta(meta: Pick<MetaRecord, "title" | "pinned">): Promise<boolean> {
    this.#pending.addMeta(meta);
    this.#syncDue = true;
    return this.flush();
  }

  /** Writes all appended events. Resolves to false if the write failed. Failed writes are retried. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#draining === undefined && (!this.#pending.empty || this.#line !== undefined)) {
      this.#draining = this.#drain();
    }
    return this.#draining ?? Promise.resolve(true);
  }

  /** Flushes, syncs and closes the file. A later `append` opens the file again. */
  async close(): Promise<boolean> {
    const written = await this.flush();
    // Newer events may be in a write now.
    if (this.#draining === undefined) this.#release();
    await this.#syncing;
    return written;
  }

  #take(event: TranscriptEvent): void {
    this.#pending.addEvent(event);
    // Only the user starts an answer.
    const { moment } = eventTraits[event.type];
    if (moment === "question" || moment === "answer-start") this.#goesOn = true;
    if (moment === "answer-start") this.#arrives = true;
    if (moment === "answer-end") this.#arrives = false;
  }

  async #drain(): Promise<boolean> {
    // Events appended in the same tick of the event loop become one record.
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
    // Reopen the file: it may have been moved to the trash, and the open handle would write there.
    if (this.#goesOn) this.#release();
    const opened = this.#handle === undefined ? await this.#open() : undefined;
    const handle = opened?.handle ?? this.#handle;
    if (handle === undefined) return;
    // Write the header together with the first record, so that no file contains only a header.
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

  /** Closes the file in the background, after a pending sync. */
  #release(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    // The data is written, so a failed close does not matter.
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

/** Whether the event is a change by the user or the end of an answer. */
function isLasting({ type }: TranscriptEvent): boolean {
  return eventTraits[type].isLasting;
}

/**
 * Writes the text in one call and resolves to its bytes. After a partial write, writes the whole text again: another
 * window may have appended lines since.
 */
async function writeWhole(handle: FileHandle, text: string): Promise<number> {
  const bytes = Buffer.from(text, "utf8");
  for (let tries = 0; tries < 2; tries += 1) {
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten === bytes.length) return bytesWritten;
  }
  // The system's error code for a full disk.
  throw Object.assign(new Error("The disk accepted only part of the data."), { code: "ENOSPC" });
}

/** Maximum UTF-16 units per record. A longer question gets a record of its own. */
const maxPieceLength = 1024 * 1024;
const maxEvents = 10_000;

export type PendingRecord = Pick<EventsRecord, "type" | "events"> | Omit<MetaRecord, "writer" | "number">;

function isStored(event: TranscriptEvent): event is StoredEvent {
  return eventTraits[event.type].stored === "event";
}

function isRecord(event: TranscriptEvent): event is RecordEvent {
  return eventTraits[event.type].stored === "record";
}

function metaOf(event: RecordEvent): Pick<MetaRecord, "question" | "selection"> {
  switch (event.type) {
    case "question-included":
      return { question: { turnId: event.turnId, included: event.included } };
    case "target-selected":
      return { selection: event.selection };
  }
}

/** Records to write, in order. Joins consecutive pieces of text at a constant cost per piece. */
export class PendingRecords {
  readonly #records: PendingRecord[] = [];
  #events: TranscriptEvent[] = [];
  /** UTF-16 units of all events. */
  #length = 0;

  get empty(): boolean {
    return this.#records.length === 0 && this.#events.length === 0;
  }

  addEvent(event: TranscriptEvent): void {
    if (isRecord(event)) this.addMeta(metaOf(event));
    else if (isStored(event)) this.#addStored(event);
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

  /** Removes and returns the oldest record. */
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

/** Counts the UTF-16 units of the potentially long parts of an event. */
function lengthOf(event: StoredEvent): number {
  if (event.type === "question-asked") return questionLength(event.turn);
  return isDelta(event) ? event.text.length : 0;
}

function questionLength({ text, prompt, attachments = [], instructions = [] }: QuestionTurn): number {
  const contents = [...attachments, ...instructions].map(contentLength);
  return contents.reduce((sum, length) => sum + length, text.length + (prompt?.text.length ?? 0));
}
