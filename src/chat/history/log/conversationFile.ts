import { isUtf8 } from "node:buffer";
import { type ConversationRecord, readEvent, readRecord } from "./conversationRecord.ts";
import {
  type ChatSelection,
  type Transcript,
  type TranscriptEvent,
  type AnswerTurn,
  type QuestionTurn,
  endedAnswer,
  isDelta,
  reduceTranscript,
  type Turn,
} from "../../transcript/transcript.ts";

/**
 * A conversation's file is append-only: one JSON object per line, starting with the header. Each record starts with a
 * line break instead of ending with one. A line truncated by a crash or a full disk therefore never damages the next
 * record. Truncated JSON is invalid, so the last line needs no line break to count as complete.
 */

/**
 * Bytes. A record holds at most one large question or a few pieces of an answer. The largest question has 50 MiB of
 * images and 12 million characters of text. Base64 adds a third to images, and a character needs up to six bytes.
 */
const maxLineLength = 160 * 1024 * 1024;
/** Maximum bytes of a record without its events. */
const maxFrameBytes = 1024;
const lineEnd = 0x0a;

/** The contents of a conversation's file. */
export interface StoredConversation {
  /** No answer is streaming: an answer without an end is `interrupted`. */
  readonly transcript: Transcript;
  /** ID of the unfinished answer of the last writer, whose window may still be open. Absent if there is none. */
  readonly unendedId?: string;
  /** The user's title, or null if the first question is the title. */
  readonly title: string | null;
  readonly pinned: boolean;
  /** ISO 8601; null if the header is lost. */
  readonly createdAt: string | null;
  /** Number of unreadable lines and events, including a truncated last line. */
  readonly skipped: number;
  /** Number of records from a newer version of the extension. These records stay in the file. */
  readonly unknown: number;
}

export function encodeRecord(record: ConversationRecord): string {
  return `\n${JSON.stringify(record)}`;
}

/** Whether a record with this event alone can be read again. Any other event would be written and lost. */
export function isReadable(event: TranscriptEvent): boolean {
  const fits = Buffer.byteLength(JSON.stringify(event)) <= maxLineLength - maxFrameBytes;
  return fits && readEvent(event) !== undefined;
}

/** Reads a file in pieces of any size. Never throws. The running time is bounded by the file's length. */
export class ConversationDecoder {
  readonly #writers = new InterleavedWriters();
  readonly #lastLines = new Map<string, string>();
  #lastWriter = "";
  #pieces: Uint8Array[] = [];
  #length = 0;
  #title: string | null = null;
  #pinned = false;
  #createdAt: string | null = null;
  #skipped = 0;
  #unknown = 0;

  /** @param bytes the caller may reuse this buffer afterwards */
  take(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      this.#addPiece(bytes.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    // A copy: `slice` of a Buffer would share the memory.
    this.#addPiece(Uint8Array.from(bytes.subarray(start)));
  }

  /** Returns the conversation. Call this once, after the last piece. */
  end(): StoredConversation {
    this.#endLine();
    const unendedId = this.#writers.unendedOf(this.#lastWriter);
    return {
      transcript: this.#writers.end(),
      ...(unendedId === undefined ? {} : { unendedId }),
      title: this.#title,
      pinned: this.#pinned,
      createdAt: this.#createdAt,
      skipped: this.#skipped,
      unknown: this.#unknown,
    };
  }

  #addPiece(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > maxLineLength) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #endLine(): void {
    const length = this.#length;
    const [first] = this.#pieces;
    const line = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    if (length > maxLineLength) this.#skipped += 1;
    else if (length > 0) this.#readLine(line);
  }

  #readLine(whole: Uint8Array): void {
    const line = withoutZeros(whole);
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString("utf8");
    // Zeros replace a record that was lost in a power failure.
    if (line.length < whole.length) this.#skipped += 1;
    if (text.trim() === "") return;
    const read = readRecord(text);
    // A record with invalid UTF-8 counts as skipped, but is still read.
    if (read.kind === "damaged" || !isUtf8(line)) this.#skipped += 1;
    if (read.kind === "unknown") this.#unknown += 1;
    if (read.kind !== "record") return;
    this.#skipped += read.unreadable;
    this.#readRecord(read.record, text);
  }

  #readRecord(record: ConversationRecord, line: string): void {
    if (record.type === "conversation") {
      this.#createdAt ??= record.createdAt;
      return;
    }
    this.#lastWriter = record.writer;
    if (this.#isRepeated(record.writer, line)) return;
    if (record.type === "meta") {
      if (record.title !== undefined) this.#title = record.title;
      this.#pinned = record.pinned ?? this.#pinned;
      if (record.question !== undefined)
        this.#takeEvent(record.writer, { type: "question-included", ...record.question });
      if (record.selection !== undefined)
        this.#takeEvent(record.writer, { type: "target-selected", selection: record.selection });
      return;
    }
    for (const event of record.events) this.#takeEvent(record.writer, event);
  }

  #takeEvent(writer: string, event: TranscriptEvent): void {
    if (!this.#writers.take(writer, event, this.#skipped > 0)) this.#skipped += 1;
  }

  /**
   * A write is repeated if its success is unknown. Compares whole lines, so that a damaged number does not hide
   * later records.
   */
  #isRepeated(writer: string, line: string): boolean {
    const repeated = this.#lastLines.get(writer) === line;
    this.#lastLines.set(writer, line);
    return repeated;
  }
}

/** Reads a file in pieces. Rejects with system errors; a damaged file is not an error. */
export async function readConversation(pieces: AsyncIterable<Uint8Array>): Promise<StoredConversation> {
  const decoder = new ConversationDecoder();
  for await (const piece of pieces) decoder.take(piece);
  return decoder.end();
}

/**
 * Removes zeros at both ends. After a power failure, a file can have its new length but zeros instead of the last
 * written data.
 */
function withoutZeros(line: Uint8Array): Uint8Array {
  if (line[0] !== 0 && line.at(-1) !== 0) return line;
  const start = line.findIndex((byte) => byte !== 0);
  return start === -1
    ? line.subarray(0, 0)
    : line.subarray(start, line.findLastIndex((byte) => byte !== 0) + 1);
}

/**
 * Maximum number of events per conversation that change its structure. A question with its answer needs three.
 * The cost of each event grows with the number of turns, so a malicious file must not contain too many.
 */
const maxStructuralEvents = 12_000;

/** Maximum UTF-16 units of all texts. */
const maxText = 256 * 1024 * 1024;

interface Arriving {
  turn: AnswerTurn;
  /** Index among the turns; undefined before the answer is added to the turns. */
  place: number | undefined;
}

type StructuralEvent = Extract<
  TranscriptEvent,
  { type: "question-asked" | "answer-started" | "version-selected" | "question-included" }
>;

/**
 * Merges the events of several writers (windows at the same time, or one after the other). Each writer can have one
 * streaming answer. When another writer follows or the file ends, this answer joins the turns as interrupted. If its
 * writer continues later, the turn is updated. With a single writer, the result equals that of `reduceTranscript`.
 */
class InterleavedWriters {
  #turns: readonly Turn[] = [];
  #leafId: string | null = null;
  #selection: ChatSelection | undefined;
  readonly #ids = new Set<string>();
  readonly #arriving = new Map<string, Arriving>();
  #writer = "";
  #structuralEvents = 0;
  #text = 0;

  /**
   * @param incomplete whether earlier events were lost. Turns may be missing, and an answer may lack its end.
   * @returns false if the conversation exceeds a limit. The event is then ignored.
   */
  take(writer: string, event: TranscriptEvent, incomplete: boolean): boolean {
    if (!this.#makeRoom(event)) return false;
    if (writer !== this.#writer) {
      const before = this.#arriving.get(this.#writer);
      if (before !== undefined && before.place === undefined) this.#place(before);
      this.#writer = writer;
    }
    const arriving = this.#arriving.get(writer);
    switch (event.type) {
      case "question-asked":
      case "answer-started":
      case "version-selected":
      case "question-included":
        if (incomplete) this.#repair(writer, event);
        this.#restructure(writer, event);
        break;
      case "target-selected":
        this.#selection = event.selection;
        break;
      case "answer-resumed":
        if (arriving === undefined) this.#resume(writer, event.turnId);
        break;
      default:
        if (arriving !== undefined) this.#receive(writer, arriving, event);
    }
    return true;
  }

  /** Returns the ID of this writer's unfinished answer. */
  unendedOf(writer: string): string | undefined {
    return this.#arriving.get(writer)?.turn.id;
  }

  /** Returns the transcript after the last event. */
  end(): Transcript {
    const turns = [...this.#turns];
    for (const { turn, place } of this.#arriving.values()) {
      turns[place ?? turns.length] = endedAnswer(turn, { kind: "interrupted" });
    }
    const selection = this.#selection === undefined ? {} : { selection: this.#selection };
    return { turns, arriving: null, leafId: this.#leafId, ...selection };
  }

  #restructure(writer: string, event: StructuralEvent): void {
    const arriving = this.#arriving.get(writer)?.turn ?? null;
    const leafId = arriving?.id ?? this.#leafId;
    const next = reduceTranscript({ turns: this.#turns, arriving, leafId }, event);
    if ("turn" in event) this.#ids.add(event.turn.id);
    this.#turns = next.turns;
    this.#leafId = next.leafId;
    if (arriving === null && next.arriving !== null) {
      this.#arriving.set(writer, { turn: next.arriving, place: undefined });
    }
  }

  /** The answer keeps its place among the turns. */
  #resume(writer: string, turnId: string): void {
    const { arriving } = reduceTranscript(
      { turns: this.#turns, arriving: null, leafId: this.#leafId },
      { type: "answer-resumed", turnId },
    );
    if (arriving === null) return;
    // The window that began the answer has ended without an end of its answer.
    for (const [other, { turn }] of this.#arriving) if (turn.id === turnId) this.#arriving.delete(other);
    this.#arriving.set(writer, { turn: arriving, place: this.#turns.findIndex(({ id }) => id === turnId) });
    this.#leafId = turnId;
  }

  #receive(writer: string, arriving: Arriving, event: TranscriptEvent): void {
    const { turn, place } = arriving;
    const next = reduceTranscript({ turns: [], arriving: turn, leafId: turn.id }, event);
    const [settled] = next.turns;
    if (next.arriving !== null) arriving.turn = next.arriving;
    if (settled === undefined) return;
    this.#arriving.delete(writer);
    // Another writer may have added turns after the interrupted answer.
    if (place === undefined) this.#leafId = turn.id;
    this.#turns = place === undefined ? [...this.#turns, settled] : this.#turns.with(place, settled);
  }

  /** Adds or updates a streaming answer among the turns, with its current text. */
  #place(arriving: Arriving): void {
    const turn = endedAnswer(arriving.turn, { kind: "interrupted" });
    if (arriving.place === undefined) {
      arriving.place = this.#turns.length;
      this.#turns = [...this.#turns, turn];
    } else {
      this.#turns = this.#turns.with(arriving.place, turn);
    }
  }

  /** Replaces a lost parent with an empty question, so that earlier turns stay visible. */
  #repair(writer: string, event: StructuralEvent): void {
    if (!("turn" in event)) return;
    const arriving = this.#arriving.get(writer);
    if (arriving !== undefined) this.#place(arriving);
    this.#arriving.delete(writer);
    const { parentId } = event.turn;
    if (parentId === null || this.#ids.has(parentId)) return;
    const lost: QuestionTurn = {
      kind: "question",
      id: parentId,
      parentId: this.#leafId,
      text: "",
      at: event.turn.at,
    };
    this.#restructure(writer, { type: "question-asked", turn: lost });
  }

  #makeRoom(event: TranscriptEvent): boolean {
    // These events replace the previous value, so they need no more room.
    if (event.type === "usage" || event.type === "request-id" || event.type === "target-selected")
      return true;
    if (isDelta(event)) {
      this.#text += event.text.length;
      return this.#text <= maxText;
    }
    if (event.type === "call-settled") {
      this.#text += event.result.text.length;
      return this.#text <= maxText;
    }
    if ("turn" in event) this.#text += event.turn.text.length;
    this.#structuralEvents += 1;
    return this.#text <= maxText && this.#structuralEvents <= maxStructuralEvents;
  }
}
