import type { RefusalKind } from "./errorAnswers.ts";

/** One call, without any key, header value or text of a conversation. */
export interface JournalEntry {
  /** 1 for the first call of the service. */
  readonly sequence: number;
  /** When the call came in. */
  readonly time: Date;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly requestId: string;
  /** Names of the headers present, in lower case. */
  readonly headerNames: readonly string[];
  /** Absent until the answer's head is sent. */
  readonly status?: number;
  readonly refusal?: RefusalKind;
  readonly model?: string;
  /** Names of the members of the request's body. */
  readonly fields?: readonly string[];
  /** How many marks for the cache the request has. */
  readonly cacheMarks?: number;
  readonly streamed: boolean;
  /** Pieces of text given to the socket. */
  readonly piecesSent: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** `aborted`: the client left before the answer's end. */
  readonly state: "open" | "finished" | "aborted";
  /** From the call to its end; absent while open. */
  readonly milliseconds?: number;
}

export type JournalOpening = Pick<JournalEntry, "method" | "path" | "requestId" | "headerNames">;
export type JournalChange = Partial<Omit<JournalEntry, "sequence" | "time" | keyof JournalOpening>>;

interface Waiter {
  readonly predicate: (entry: JournalEntry) => boolean;
  readonly resolve: (entry: JournalEntry) => void;
}

/** What was asked of the service, newest last. Old entries go when there are too many. */
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

  /** Without the lists of models, which may come behind a first answer at any time. */
  get answers(): readonly JournalEntry[] {
    return this.entries.filter(({ method }) => method === "POST");
  }

  /** Forgets all entries; calls still open come back with their next change. */
  clear(): void {
    this.#entries.clear();
  }

  /** Begins an entry; the function returned changes it. */
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
   * The first entry, there already or yet to come, in a state the predicate accepts. Rejects with
   * the signal's reason. An answer may reach its client before its entry is `finished`.
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
