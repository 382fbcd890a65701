import type { ConversationSummary } from "../log/conversationSummary.ts";
import { normaliseText, splitQuery } from "../../../text/searchWords.ts";

/** The first conversations that match, and the number of further matches. */
export interface NamedConversations {
  readonly conversations: readonly ConversationSummary[];
  readonly more: number;
}

/** Finds conversations by title, connection and model. Searches ten thousand of them within one frame. */
export class NameSearch {
  readonly #names = new WeakMap<ConversationSummary, string>();

  /**
   * Returns conversations that contain every word of the query: all pinned ones, then others up to `limit` in total. An
   * empty query matches all.
   */
  find(conversations: readonly ConversationSummary[], query: string, limit: number): NamedConversations {
    const terms = splitQuery(query);
    const found = terms.length === 0 ? conversations : conversations.filter((one) => this.#has(one, terms));
    const pinned = found.filter((one) => one.pinned);
    const others = found.filter((one) => !one.pinned).slice(0, Math.max(0, limit - pinned.length));
    return {
      conversations: [...pinned, ...others],
      more: found.length - pinned.length - others.length,
    };
  }

  #has(conversation: ConversationSummary, terms: readonly string[]): boolean {
    return includesAll(this.#nameOf(conversation), terms);
  }

  #nameOf(conversation: ConversationSummary): string {
    const known = this.#names.get(conversation);
    if (known !== undefined) return known;
    const { title, connections, target } = conversation;
    const used = target === undefined ? [] : [target.connection, target.model];
    const name = normaliseText([title, ...connections, ...used].join("\n"));
    this.#names.set(conversation, name);
    return name;
  }
}

/** Whether a name contains every word of the query. An empty query matches any name. */
export function hasWords(name: string, query: string): boolean {
  return includesAll(normaliseText(name), splitQuery(query));
}

function includesAll(name: string, terms: readonly string[]): boolean {
  return terms.every((term) => name.includes(term));
}
