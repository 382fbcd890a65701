import { contentLength } from "../../transcript/attachments.ts";
import type { EventsRecord, MetaRecord } from "./conversationRecord.ts";
import type { QuestionTurn, TranscriptEvent } from "../../transcript/transcript.ts";

/** Characters; what goes beyond them goes into another record, and so does a question that is longer on its own. */
const longestPiece = 1024 * 1024;
const mostEvents = 10_000;

export type PendingRecord = Pick<EventsRecord, "type" | "events"> | Omit<MetaRecord, "writer" | "number">;

/** What a person sees while an answer is waited for; there is nothing of it afterwards. */
function isPassing({ type }: TranscriptEvent): boolean {
  return type === "retry-announced" || type === "retry-begun" || type === "silence";
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
    if (isPassing(event)) return;
    if (event.type === "question-included") {
      const { turnId, included } = event;
      this.addMeta({ question: { turnId, included } });
      return;
    }
    const length = lengthOf(event);
    if (this.#length + length > longestPiece || this.#events.length >= mostEvents) this.#seal();
    this.#length += length;
    const last = this.#events.at(-1);
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") {
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
function lengthOf(event: TranscriptEvent): number {
  switch (event.type) {
    case "question-asked":
      return questionLength(event.turn);
    case "text-delta":
    case "reasoning-delta":
      return event.text.length;
    case "answer-started":
    case "usage":
    case "request-id":
    case "retry-announced":
    case "retry-begun":
    case "silence":
    case "answer-ended":
    case "version-selected":
    case "question-included":
      return 0;
  }
}

function questionLength({ text, prompt, attachments = [], instructions = [] }: QuestionTurn): number {
  const contents = [...attachments, ...instructions].map(contentLength);
  return contents.reduce((sum, length) => sum + length, text.length + (prompt?.text.length ?? 0));
}
