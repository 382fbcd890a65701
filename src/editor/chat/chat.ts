import { ChatSession, type ChatSessionOptions } from "../../chat/chatSession.ts";
import { firstQuestionLine } from "../../chat/conversationSummary.ts";
import type { TranscriptEvent } from "../../chat/transcript.ts";

/** What shows a chat: a page of the side bar or of an editor tab. */
export interface ChatListener {
  readonly eventsCame: (events: readonly TranscriptEvent[]) => void;
}

export interface ChatOptions extends Omit<ChatSessionOptions, "onEvents"> {
  readonly id: string;
  /** As a person named it; null where it goes by its first question. */
  readonly title: string | null;
  readonly draft: string;
  /** Writes down what happened; resolves, and never rejects, when that is as safe as it will be. */
  readonly keep: (events: readonly TranscriptEvent[]) => Promise<unknown>;
}

/** One open conversation with its draft. Its answer arrives whether or not a page shows it. */
export class Chat {
  readonly id: string;
  readonly session: ChatSession;
  /** What was typed and not sent. */
  draft: string;
  /** As a person named it. */
  givenTitle: string | null;
  readonly #listeners = new Set<ChatListener>();
  readonly #keep: ChatOptions["keep"];
  /** Events that wait for those before them to be written down. */
  #waiting: TranscriptEvent[] | undefined;

  constructor(options: ChatOptions) {
    this.id = options.id;
    this.draft = options.draft;
    this.givenTitle = options.title;
    this.#keep = options.keep;
    this.session = new ChatSession({ ...options, onEvents: (events) => this.#take(events) });
  }

  /** As a person named it, or the first question's first line; empty where there is neither. */
  get title(): string {
    return this.givenTitle ?? firstQuestionLine(this.session.transcript);
  }

  /** The result is to be called when the listener is gone. */
  listen(listener: ChatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** No page shows it and nothing arrives in it. */
  get idle(): boolean {
    return this.#listeners.size === 0 && !this.session.busy;
  }

  /** What looks done has been written down: a page hears of a question or an end only then. */
  #take(events: readonly TranscriptEvent[]): void {
    const kept = this.#keep(events);
    if (this.#waiting !== undefined) {
      this.#waiting.push(...events);
    } else if (events.some(({ type }) => type === "question-asked" || type === "answer-ended")) {
      this.#waiting = [...events];
      void kept.then(() => this.#release());
    } else {
      this.#tell(events);
    }
  }

  #release(): void {
    const events = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#tell(events);
  }

  #tell(events: readonly TranscriptEvent[]): void {
    for (const listener of this.#listeners) listener.eventsCame(events);
  }
}
