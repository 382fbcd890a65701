import { isUtf8 } from "node:buffer";
import { type ConversationRecord, readEvent, readRecord } from "./conversationRecord.ts";
import {
  type Transcript,
  type TranscriptEvent,
  type AnswerTurn,
  type QuestionTurn,
  isDelta,
  reduceTranscript,
  type Turn,
} from "../../transcript/transcript.ts";

/**
 * The file of a conversation: JSON objects, each on a line of its own, the header first. It is only ever
 * appended to. A record begins with the line's end instead of ending with it: so a line that was torn by
 * a crash or a full disk never swallows the record after it, whoever writes that. A JSON object cut
 * short is no JSON, so the last line needs no end to be known as whole.
 */

/**
 * Bytes. A record holds at most one large question or a few pieces of an answer. The largest question has
 * 50 MiB of images, a third more as base64, and texts of 12 million characters, each of up to six bytes.
 */
const maxLineLength = 160 * 1024 * 1024;
/** What a record has around its events. */
const maxFrameBytes = 1024;
const lineEnd = 0x0a;

/** What a file says about its conversation. */
export interface StoredConversation {
  /** Nothing arrives in it: an answer without its end is `interrupted`. */
  readonly transcript: Transcript;
  /** The answer of which who wrote last has told no end; its window may still be there. Absent where there is none. */
  readonly unendedId?: string;
  /** As a person named it; null where it goes by its first question. */
  readonly title: string | null;
  readonly pinned: boolean;
  /** ISO 8601; null where the header is lost. */
  readonly createdAt: string | null;
  /** Lines and events that could not be read, a torn last line included. */
  readonly skipped: number;
  /** Records of a newer version of the extension. They stay in the file. */
  readonly unknown: number;
}

export function encodeRecord(record: ConversationRecord): string {
  return `\n${JSON.stringify(record)}`;
}

/** Whether it is read back from a record of its own; any other would be written, and lost. */
export function isReadable(event: TranscriptEvent): boolean {
  const fits = Buffer.byteLength(JSON.stringify(event)) <= maxLineLength - maxFrameBytes;
  return fits && readEvent(event) !== undefined;
}

/** Reads a file piece by piece, wherever it is cut. Never throws; the time it takes is bounded by the length. */
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

  /** @param bytes may be used for something else afterwards */
  take(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      this.#addPiece(bytes.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    // A copy; a buffer's own `slice` would make none.
    this.#addPiece(Uint8Array.from(bytes.subarray(start)));
  }

  /** What was read. Call it once, after the last piece. */
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
    // Zeros stand for a record that a power cut has taken.
    if (line.length < whole.length) this.#skipped += 1;
    if (text.trim() === "") return;
    const read = readRecord(text);
    // A broken character costs that character, not the record.
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
      return;
    }
    for (const event of record.events) this.#takeEvent(record.writer, event);
  }

  #takeEvent(writer: string, event: TranscriptEvent): void {
    if (!this.#writers.take(writer, event, this.#skipped > 0)) this.#skipped += 1;
  }

  /**
   * A write whose success was not learnt of is made again. The whole line counts, so that a damaged number
   * does not hide what follows.
   */
  #isRepeated(writer: string, line: string): boolean {
    const repeated = this.#lastLines.get(writer) === line;
    this.#lastLines.set(writer, line);
    return repeated;
  }
}

/** Reads a file piece by piece. Throws what the system says; damage of the file is no error. */
export async function readConversation(pieces: AsyncIterable<Uint8Array>): Promise<StoredConversation> {
  const decoder = new ConversationDecoder();
  for await (const piece of pieces) decoder.take(piece);
  return decoder.end();
}

/** After a power cut a file can have its new length, and zeros instead of what was written last. */
function withoutZeros(line: Uint8Array): Uint8Array {
  if (line[0] !== 0 && line.at(-1) !== 0) return line;
  const start = line.findIndex((byte) => byte !== 0);
  return start === -1
    ? line.subarray(0, 0)
    : line.subarray(start, line.findLastIndex((byte) => byte !== 0) + 1);
}

/**
 * Changes of other than the arriving text, per conversation: a question and its answer are three. Each
 * may cost as much as there are turns, so a hostile file must not hold any number of them.
 */
const maxStructuralEvents = 12_000;

/** Characters of all texts together. */
const maxText = 256 * 1024 * 1024;

interface Arriving {
  turn: AnswerTurn;
  /** Its place among the turns, once it has one. */
  place: number | undefined;
}

type StructuralEvent = Extract<
  TranscriptEvent,
  { type: "question-asked" | "answer-started" | "version-selected" | "question-included" }
>;

/**
 * Joins what several writers (windows at once, or one after the other) added to one conversation. Each
 * has an arriving answer of its own. As soon as another writer is heard, or the file ends, such an answer
 * takes its place among the turns as interrupted; should its writer go on after all, it is mended there.
 * What a single writer wrote reads as `reduceTranscript` has it.
 */
class InterleavedWriters {
  #turns: readonly Turn[] = [];
  #leafId: string | null = null;
  readonly #ids = new Set<string>();
  readonly #arriving = new Map<string, Arriving>();
  #writer = "";
  #structuralEvents = 0;
  #text = 0;

  /**
   * @param incomplete whether something before this event was lost, so that it may speak of turns that
   *   are not there, and an answer may lack its end
   * @returns false where the conversation is beyond all bounds and the event was left out
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
      default:
        if (arriving !== undefined) this.#receive(writer, arriving, event);
    }
    return true;
  }

  /** The answer of which this writer has told no end yet. */
  unendedOf(writer: string): string | undefined {
    return this.#arriving.get(writer)?.turn.id;
  }

  /** The transcript as it is when nothing more comes. */
  end(): Transcript {
    const turns = [...this.#turns];
    for (const { turn, place } of this.#arriving.values()) {
      turns[place ?? turns.length] = { ...turn, state: { kind: "interrupted" } };
    }
    return { turns, arriving: null, leafId: this.#leafId };
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

  #receive(writer: string, arriving: Arriving, event: TranscriptEvent): void {
    const { turn, place } = arriving;
    const next = reduceTranscript({ turns: [], arriving: turn, leafId: turn.id }, event);
    const [settled] = next.turns;
    if (next.arriving !== null) arriving.turn = next.arriving;
    if (settled === undefined) return;
    this.#arriving.delete(writer);
    // Another writer may have gone on behind it since.
    if (place === undefined) this.#leafId = turn.id;
    this.#turns = place === undefined ? [...this.#turns, settled] : this.#turns.with(place, settled);
  }

  /** Puts an arriving answer among the turns, with what it has so far. */
  #place(arriving: Arriving): void {
    const turn: Turn = { ...arriving.turn, state: { kind: "interrupted" } };
    if (arriving.place === undefined) {
      arriving.place = this.#turns.length;
      this.#turns = [...this.#turns, turn];
    } else {
      this.#turns = this.#turns.with(arriving.place, turn);
    }
  }

  /** Gives a turn whose parent was lost another, so that what came before stays in sight. */
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
    // They take the place of those before them.
    if (event.type === "usage" || event.type === "request-id") return true;
    if (isDelta(event)) {
      this.#text += event.text.length;
      return this.#text <= maxText;
    }
    if ("turn" in event) this.#text += event.turn.text.length;
    this.#structuralEvents += 1;
    return this.#text <= maxText && this.#structuralEvents <= maxStructuralEvents;
  }
}
