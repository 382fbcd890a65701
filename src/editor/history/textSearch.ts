import type { SearchMatch } from "../../chat/history/search/conversationSearch.ts";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";

/** Milliseconds that typing must pause before texts are searched. */
const pause = 150;
const mostMatches = 200;
/** Milliseconds from one list of what was found to the next: each makes the editor draw all lines anew. */
const showsEach = 250;

export interface TextSearchListener {
  readonly onBegin: () => void;
  /** Called once after each beginning. */
  readonly onEnd: () => void;
  readonly onFound: (matches: readonly SearchMatch[]) => void;
  readonly onError: (error: unknown) => void;
}

/** One search at a time, begun when typing pauses. */
export class TextSearch {
  readonly #store: ConversationStore;
  #running = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  start(query: string, listener: TextSearchListener): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    if (query.trim().length < 2) {
      listener.onFound([]);
      return;
    }
    this.#timer = setTimeout(() => {
      listener.onBegin();
      this.#run(query, running.signal, listener).catch(listener.onError).finally(listener.onEnd);
    }, pause);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  async #run(query: string, signal: AbortSignal, { onFound }: TextSearchListener): Promise<void> {
    const matches: SearchMatch[] = [];
    let shownAt = Number.NEGATIVE_INFINITY;
    for await (const match of this.#store.search(query, signal)) {
      if (signal.aborted) return;
      matches.push(match);
      if (matches.length >= mostMatches) break;
      if (performance.now() - shownAt < showsEach) continue;
      shownAt = performance.now();
      onFound([...matches]);
    }
    if (!signal.aborted) onFound(matches);
  }
}
