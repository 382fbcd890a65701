import type { RefusalKind } from "./errorAnswers.ts";

/** One request, without keys, header values or text of the conversation. */
export interface JournalEntry {
  /** Counts the service's requests from 1. */
  readonly sequence: number;
  readonly time: Date;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly requestId: string;
  /** Names of the request's headers, in lower case. */
  readonly headerNames: readonly string[];
  /** Absent until the response headers are sent. */
  readonly status?: number;
  readonly refusal?: RefusalKind;
  readonly model?: string;
  /** Field names of the request body. */
  readonly fields?: readonly string[];
  readonly cacheMarks?: number;
  readonly streamed: boolean;
  /** Pieces of text written to the socket. */
  readonly piecesSent: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** `aborted`: the client disconnected before the answer ended. */
  readonly state: "open" | "finished" | "aborted";
  /** From the request to the end of its answer; absent while open. */
  readonly milliseconds?: number;
}

export type JournalOpening = Pick<JournalEntry, "method" | "path" | "requestId" | "headerNames">;
export type JournalChange = Partial<Omit<JournalEntry, "sequence" | "time" | keyof JournalOpening>>;

interface Waiter {
  readonly predicate: (entry: JournalEntry) => boolean;
  readonly resolve: (entry: JournalEntry) => void;
}

/** The requests to the service, newest last. Drops the oldest entries above its capacity. */
export class Journal {
  readonly #entries = new Map<number, JournalEntry>();
  readonly #waiters = new Set<Waiter>();
  readonly #capacity: number;
  #sequence = 0;

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  /** Entries of answers. Leaves out model lists: clients may request them at any time after a first answer. */
  get answers(): readonly JournalEntry[] {
    return this.entries.filter(({ method }) => method === "POST");
  }

  /** Removes all entries. An open request adds its entry again with its next change. */
  clear(): void {
    this.#entries.clear();
  }

  /** Begins an entry and returns a function that changes it. */
  open(opening: JournalOpening): (change: JournalChange) => void {
    this.#sequence += 1;
    let entry: JournalEntry = {
      ...opening,
      sequence: this.#sequence,
      time: new Date(),
      streamed: false,
      piecesSent: 0,
      inputTokens: 0,
      outputTokens: 0,
      state: "open",
    };
    this.#put(entry);
    return (change) => {
      entry = { ...entry, ...change };
      this.#put(entry);
    };
  }

  /**
   * Resolves with the first entry that the predicate accepts, now or later. Rejects with the signal's reason if the
   * signal aborts. An answer may reach its client before its entry is `finished`.
   */
  next(predicate: (entry: JournalEntry) => boolean, signal: AbortSignal): Promise<JournalEntry> {
    const present = this.entries.find(predicate);
    if (present !== undefined) {
      return Promise.resolve(present);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        predicate,
        resolve: (entry) => {
          signal.removeEventListener("abort", abort);
          resolve(entry);
        },
      };
      const abort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal.reason);
      };
      if (signal.aborted) {
        abort();
        return;
      }
      this.#waiters.add(waiter);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  #put(entry: JournalEntry): void {
    this.#entries.set(entry.sequence, entry);
    for (const sequence of this.#entries.keys()) {
      if (this.#entries.size <= this.#capacity) {
        break;
      }
      this.#entries.delete(sequence);
    }
    for (const waiter of this.#waiters) {
      if (waiter.predicate(entry)) {
        this.#waiters.delete(waiter);
        waiter.resolve(entry);
      }
    }
  }
}
