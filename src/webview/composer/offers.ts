import { type ContextOffer, urlOffer } from "../../chat/page/protocol.ts";

/** A `#` in a text, or a `/` at its start, with the text typed after it. */
export interface Mention {
  /** `#` attaches context, `/` runs a prompt. */
  readonly mark: "#" | "/";
  /** Offset of the mark in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly typed: string;
}

/** The properties of a text box that `findMention` reads. */
interface TextBox {
  readonly value: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

/**
 * The mention at the caret; undefined if there is none. `#` must start a word, and `/` must start the text. A space
 * ends the mention, so a heading (`# `) is not a mention. Only a URL may hold a further `#`.
 */
export function findMention({ value, selectionStart, selectionEnd }: TextBox): Mention | undefined {
  if (selectionStart !== selectionEnd) return undefined;
  const before = value.slice(0, selectionStart);
  const match = /(?:^|\s)(#)(https?:\/\/\S*|[^\s#]*)$/i.exec(before) ?? /^(\/)([^\s/]*)$/.exec(before);
  if (match === null) return undefined;
  const typed = match[2] ?? "";
  const mark = match[1] === "/" ? "/" : "#";
  return { mark, start: selectionStart - typed.length - 1, end: selectionStart, typed };
}

/** The text that stays in place of a mention once its offer is taken. Of a file nothing stays. */
export function textOfTaken({ mark, typed }: Mention, { id }: ContextOffer): string {
  // The user may add text after the name of a prompt.
  if (mark === "/") return `/${id} `;
  // A URL is part of the sentence, and the page might not be readable.
  return id.startsWith(urlOffer) ? typed : "";
}

/** Time in ms after which a search counts as answered. */
const timeoutMs = 500;

/**
 * Runs one request at a time: the newest one, as soon as the previous request is answered. A fast typist causes no more
 * requests than the host can answer.
 */
export class LatestRequestQueue {
  #underWay: number | undefined;
  #next: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Posts at once if no request is running; otherwise replaces the queued request. */
  request(id: number, post: () => void): void {
    const begin = (): void => {
      this.#underWay = id;
      this.#timer = setTimeout(() => this.answered(id), timeoutMs);
      post();
    };
    if (this.#underWay === undefined) begin();
    else this.#next = begin;
  }

  answered(id: number): void {
    if (id !== this.#underWay) return;
    const next = this.#next;
    this.forget();
    next?.();
  }

  /** Drops the running and the queued request. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#underWay = undefined;
    this.#next = undefined;
  }
}

/**
 * Merges further offers of the same search into the list. The rows down to the active one stay, so that Enter takes the
 * row the user has seen. The new order applies after them.
 */
export function steadyOffers(
  shown: readonly ContextOffer[],
  active: number,
  found: readonly ContextOffer[],
): readonly ContextOffer[] {
  const kept = shown.slice(0, active + 1);
  const ids = new Set(kept.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !ids.has(id))];
}
