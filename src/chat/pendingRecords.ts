import type { EventsRecord, MetaRecord } from "./conversationRecord.ts";
import type { TranscriptEvent } from "./transcript.ts";

/** Characters; more of an answer goes into a record of its own. */
const longestPiece = 1024 * 1024;
const mostEvents = 10_000;

export type PendingRecord =
  | Pick<EventsRecord, "type" | "events">
  | Pick<MetaRecord, "type" | "title" | "pinned">;

/** What a person sees while an answer is waited for; there is nothing of it afterwards. */
function isPassing({ type }: TranscriptEvent): boolean {
  return type === "retry-announced" || type === "retry-begun" || type === "silence";
}

/** What is to be written, in order. Neighbouring pieces of text are joined, at a cost per piece that is the same always. */
export class PendingRecords {
  readonly #records: PendingRecord[] = [];
  #events: TranscriptEvent[] = [];
  #text = 0;

  get empty(): boolean {
    return this.#records.length === 0 && this.#events.length === 0;
  }

  addEvent(event: TranscriptEvent): void {
    if (isPassing(event)) return;
    if (this.#text > longestPiece || this.#events.length >= mostEvents) this.#seal();
    const last = this.#events.at(-1);
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") {
      this.#events.push(event);
      return;
    }
    this.#text += event.text.length;
    if (last?.type === event.type) {
      this.#events[this.#events.length - 1] = { type: event.type, text: last.text + event.text };
    } else {
      this.#events.push(event);
    }
  }

  addMeta(meta: Pick<MetaRecord, "title" | "pinned">): void {
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
    this.#text = 0;
  }
}
