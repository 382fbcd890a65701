import { readConversation, type StoredConversation } from "../log/conversationFile.ts";
import type { ConversationFolder } from "../log/conversationFolder.ts";
import type { ConversationSummary } from "../log/conversationSummary.ts";
import type { IndexedConversation } from "../log/conversationIndex.ts";
import { mapAhead } from "../../../files/concurrency.ts";
import { normaliseText, splitQuery } from "../../../text/searchWords.ts";
import { type WordFilter, WordIndex } from "./wordIndex.ts";

/** A conversation that contains all words of a query. */
export interface SearchMatch {
  readonly summary: ConversationSummary;
  /** The turn with the match, or null for the title. The turn may be on a hidden branch. */
  readonly turnId: string | null;
  readonly snippet: SearchSnippet;
}

interface Candidate {
  readonly summary: ConversationSummary;
  /** Changes whenever the file changes. */
  readonly stamp: string;
}

const readsAhead = 4;

/** Searches the conversations of a folder. Later searches reuse the index of earlier ones. */
export class ConversationSearch {
  readonly #folder: ConversationFolder;
  readonly #words = new WordIndex();
  /** By conversation ID: the file's stamp at the time of indexing. */
  readonly #stamps = new Map<string, string>();

  constructor(folder: ConversationFolder) {
    this.#folder = folder;
  }

  /**
   * Yields the conversations that contain every word of the query, in the given order. Yields each match when it is
   * found. Ends without an error when the signal aborts.
   */
  async *search(
    conversations: readonly IndexedConversation[],
    query: string,
    signal: AbortSignal,
  ): AsyncGenerator<SearchMatch> {
    const terms = splitQuery(query);
    if (terms.length === 0) return;
    this.#forgetOthers(conversations);
    const mayHold = this.#words.filter(terms);
    const candidates = this.#candidates(conversations, mayHold);
    for await (const { summary, stamp, stored } of mapAhead(readsAhead, candidates, (one) =>
      this.#read(one),
    )) {
      if (signal.aborted) return;
      // Skip a conversation that is missing or unreadable.
      if (stored === undefined) continue;
      if (this.#stamps.get(summary.id) !== stamp) this.#index(summary.id, stamp, summary, stored);
      const match = findMatch(summary, stored, terms);
      if (match !== undefined) yield match;
    }
  }

  /** Yields conversations that are not indexed, or that may contain all words. */
  *#candidates(conversations: readonly IndexedConversation[], mayHold: WordFilter): Generator<Candidate> {
    for (const { summary, size, mtimeMs } of conversations) {
      const stamp = `${size} ${mtimeMs}`;
      if (this.#stamps.get(summary.id) !== stamp || mayHold(summary.id)) yield { summary, stamp };
    }
  }

  async #read(
    candidate: Candidate,
  ): Promise<Candidate & { readonly stored: StoredConversation | undefined }> {
    const stored = await readConversation(this.#folder.read(candidate.summary.id)).catch(() => undefined);
    return { ...candidate, stored };
  }

  #index(id: string, stamp: string, summary: ConversationSummary, stored: StoredConversation): void {
    this.#words.set(id, normaliseText(textsOf(summary, stored).join("\n")));
    this.#stamps.set(id, stamp);
  }

  #forgetOthers(conversations: readonly IndexedConversation[]): void {
    const ids = new Set(conversations.map(({ summary }) => summary.id));
    for (const id of this.#stamps.keys()) {
      if (ids.has(id)) continue;
      this.#stamps.delete(id);
      this.#words.delete(id);
    }
  }
}

function findMatch(
  summary: ConversationSummary,
  stored: StoredConversation,
  terms: readonly string[],
): SearchMatch | undefined {
  const all = normaliseText(textsOf(summary, stored).join("\n"));
  if (!terms.every((term) => all.includes(term))) return undefined;
  const turns = stored.transcript.turns.toReversed();
  const places = [{ id: null, text: summary.title }, ...turns];
  // A title without all words is not a match itself.
  const best =
    places.find(({ text }) => holdsAll(text, terms)) ?? turns.find(({ text }) => holdsOne(text, terms));
  const snippet = cutSnippet(best?.text ?? "", terms);
  return best === undefined || snippet === undefined ? undefined : { summary, turnId: best.id, snippet };
}

function holdsAll(text: string, terms: readonly string[]): boolean {
  const normalised = normaliseText(text);
  return terms.every((term) => normalised.includes(term));
}

function holdsOne(text: string, terms: readonly string[]): boolean {
  const normalised = normaliseText(text);
  return terms.some((term) => normalised.includes(term));
}

function textsOf(summary: ConversationSummary, stored: StoredConversation): readonly string[] {
  return [summary.title, ...stored.transcript.turns.map(({ text }) => text)];
}

const charactersBefore = 40;
const charactersAfter = 120;

/** Text around a match, on one line. */
interface SearchSnippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Returns the text around the first match of any term, or undefined if no term occurs. */
export function cutSnippet(text: string, terms: readonly string[]): SearchSnippet | undefined {
  const normalised = normaliseText(text);
  const places = terms.map((term) => ({ term, at: normalised.indexOf(term) })).filter(({ at }) => at !== -1);
  const first = places.toSorted((one, other) => one.at - other.at)[0];
  if (first === undefined) return undefined;
  const shown = sameLength(normalised, text, text.normalize("NFKC"));
  const end = first.at + first.term.length;
  const start = Math.max(0, first.at - charactersBefore);
  const stop = Math.min(shown.length, end + charactersAfter);
  return {
    before: (start > 0 ? "…" : "") + onOneLine(shown.slice(start, first.at)).trimStart(),
    match: onOneLine(shown.slice(first.at, end)),
    after: onOneLine(shown.slice(end, stop)).trimEnd() + (stop < shown.length ? "…" : ""),
  };
}

/** Returns the first text with the same length as the normalized text, so that the offsets are the same. */
function sameLength(normalised: string, ...texts: readonly string[]): string {
  return texts.find(({ length }) => length === normalised.length) ?? normalised;
}

/** Replaces line breaks and other whitespace with spaces. Removes half of a surrogate pair at either end. */
function onOneLine(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/gu, "").replace(/\s+/gu, " ");
}
