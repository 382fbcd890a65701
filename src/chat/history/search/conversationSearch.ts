import { readConversation, type StoredConversation } from "../log/conversationFile.ts";
import type { ConversationFolder } from "../log/conversationFolder.ts";
import type { ConversationSummary } from "../log/conversationSummary.ts";
import type { IndexedConversation } from "../log/conversationIndex.ts";
import { mapAhead } from "../../../files/concurrency.ts";
import { normaliseText, splitQuery } from "../../../text/searchWords.ts";
import { type WordFilter, WordIndex } from "./wordIndex.ts";

/** A conversation that holds all that was looked for. */
export interface SearchMatch {
  readonly summary: ConversationSummary;
  /** The turn the snippet is of; null where it is of the title. It may be on another branch than the visible. */
  readonly turnId: string | null;
  readonly snippet: SearchSnippet;
}

interface Candidate {
  readonly summary: ConversationSummary;
  /** Changes with the file. */
  readonly stamp: string;
}

const readsAhead = 4;

/** Searches the conversations of a folder. What the first search has read helps the next ones. */
export class ConversationSearch {
  readonly #folder: ConversationFolder;
  readonly #words = new WordIndex();
  /** What of each conversation is in the word index. */
  readonly #stamps = new Map<string, string>();

  constructor(folder: ConversationFolder) {
    this.#folder = folder;
  }

  /**
   * The conversations that hold every word of the query somewhere, in the order given, each as soon as it
   * is found. Ends quietly when the signal aborts.
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
      // One that is gone or cannot be read now holds nothing.
      if (stored === undefined) continue;
      if (this.#stamps.get(summary.id) !== stamp) this.#index(summary.id, stamp, summary, stored);
      const match = findMatch(summary, stored, terms);
      if (match !== undefined) yield match;
    }
  }

  /** Those that are not indexed, and those that may hold what is looked for. */
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
  // A title that lacks a word is no place to look for it.
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

/** A piece of text around a match, on one line. */
interface SearchSnippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** The surroundings of the first of the terms that occurs; undefined where none does. */
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

/** Places in the normalised text are places in a text of the same length. */
function sameLength(normalised: string, ...texts: readonly string[]): string {
  return texts.find(({ length }) => length === normalised.length) ?? normalised;
}

/** Without the half of a character that a cut may have left at either end. */
function onOneLine(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/gu, "").replace(/\s+/gu, " ");
}
