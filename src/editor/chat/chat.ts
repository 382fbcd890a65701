import { ChatSession, type ChatSessionOptions } from "../../chat/chatSession.ts";
import { titleOf, type TranscriptEvent } from "../../chat/transcript.ts";

/** What shows a chat: a page of the side bar or of an editor tab. */
export interface ChatListener {
  readonly eventsCame: (events: readonly TranscriptEvent[]) => void;
}

/** One open conversation with its draft. Its answer arrives whether or not a page shows it. */
export class Chat {
  readonly id: string;
  readonly session: ChatSession;
  /** What was typed and not sent. */
  draft = "";
  readonly #listeners = new Set<ChatListener>();

  constructor(id: string, options: ChatSessionOptions) {
    this.id = id;
    this.session = new ChatSession({
      ...options,
      onEvents: (events) => {
        options.onEvents(events);
        for (const listener of this.#listeners) listener.eventsCame(events);
      },
    });
  }

  /** The start of the first question; undefined while there is none. */
  get title(): string | undefined {
    return titleOf(this.session.transcript);
  }

  /** The result is to be called when the listener is gone. */
  listen(listener: ChatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Nothing was asked and nothing typed: it may be forgotten. */
  get empty(): boolean {
    return this.session.transcript.turns.length === 0 && this.draft.trim() === "";
  }

  get shown(): boolean {
    return this.#listeners.size > 0;
  }
}
