import type { ContextOffer } from "../../chat/page/protocol.ts";

/** A `#` in a text, or a `/` at its beginning, with what was typed behind it. */
export interface Mention {
  /** `#` is for something to attach, `/` for a prompt. */
  readonly mark: "#" | "/";
  /** The place of the mark. */
  readonly start: number;
  readonly end: number;
  readonly typed: string;
}

/** The text box, as far as a mention needs it. */
interface TextBox {
  readonly value: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

/** The mention that the caret stands in: a `#` at the start of a word, a `/` at the start of all. A heading's `# ` is none. */
export function findMention({ value, selectionStart, selectionEnd }: TextBox): Mention | undefined {
  if (selectionStart !== selectionEnd) return undefined;
  const before = value.slice(0, selectionStart);
  const match = /(?:^|\s)(#)([^\s#]*)$/.exec(before) ?? /^(\/)([^\s/]*)$/.exec(before);
  if (match === null) return undefined;
  const typed = match[2] ?? "";
  const mark = match[1] === "/" ? "/" : "#";
  return { mark, start: selectionStart - typed.length - 1, end: selectionStart, typed };
}

/** After which the answer to a search is not waited for any longer. */
const timeoutMs = 500;

/**
 * Asks for one thing at a time: the newest, as soon as the one before it is answered. So nobody waits
 * without need, and whoever types quicker than the answers come asks no more often than they come.
 */
export class LatestRequestQueue {
  #underWay: number | undefined;
  #next: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks now, or instead of what was to be asked next. */
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

  /** What was asked, and was to be asked next, is not needed any more. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#underWay = undefined;
    this.#next = undefined;
  }
}

/**
 * What is shown once more is known of the same search: the rows down to the active one stay where they
 * are, so that Enter takes what its user has seen; the better order begins behind them.
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
