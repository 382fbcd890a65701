import type { AnswerTurn, Transcript, Turn } from "../chat/transcript.ts";
import type { MarkdownView } from "./markdownView.ts";

export type AnswerField = "text" | "reasoning";

interface AnswerView {
  turn: AnswerTurn;
  readonly fields: ReadonlyMap<AnswerField, MarkdownView>;
}

/** The drawn texts of the answers, by the answer's id: drawn once, however often the page changes. */
export class AnswerViews {
  readonly #createView: () => MarkdownView;
  readonly #views = new Map<string, AnswerView>();
  /** Those with something left to draw, so that a frame costs nothing for the rest. */
  readonly #unfinished = new Set<AnswerView>();

  constructor(createView: () => MarkdownView) {
    this.#createView = createView;
  }

  elementOf(id: string, field: AnswerField): HTMLElement | undefined {
    return this.#views.get(id)?.fields.get(field)?.element;
  }

  /** Makes a view of each answer on the screen, and forgets those of all others. */
  show(turns: readonly Turn[]): void {
    const answers = turns.filter((turn) => turn.kind === "answer");
    const ids = new Set(answers.map(({ id }) => id));
    for (const id of this.#views.keys()) {
      if (!ids.has(id)) this.#forget(id);
    }
    for (const turn of answers) {
      if (!this.#views.has(turn.id)) this.#create(turn);
    }
  }

  append(turn: AnswerTurn, field: AnswerField, text: string): void {
    // An answer that is not on the screen yet gets its whole text when it is.
    const view = this.#views.get(turn.id);
    if (view === undefined) return;
    view.fields.get(field)?.append(text);
    this.#unfinished.add(view);
  }

  end(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    if (view !== undefined) {
      view.turn = turn;
      view.fields.forEach((field) => field.end());
      this.#unfinished.add(view);
    }
  }

  /** Draws until `deadline`, the newest answer first; true when nothing is left to draw. */
  draw(deadline: number): boolean {
    for (const view of [...this.#unfinished].toReversed()) {
      const drawn = [...view.fields.values()].every((field) => field.draw(deadline));
      if (!drawn) return false;
      this.#unfinished.delete(view);
      if (performance.now() >= deadline) break;
    }
    return this.#unfinished.size === 0;
  }

  /** Another transcript takes the place of the one on the screen: keeps what is the same in both. */
  replace(next: Transcript): void {
    const settled = new Map(next.turns.map((turn) => [turn.id, turn]));
    for (const [id, { turn }] of this.#views) {
      const same = settled.get(id);
      if (same?.kind !== "answer" || isArriving(turn) || same.text !== turn.text) {
        this.#forget(id);
      }
    }
  }

  #forget(id: string): void {
    const view = this.#views.get(id);
    if (view !== undefined) this.#unfinished.delete(view);
    this.#views.delete(id);
  }

  #create(turn: AnswerTurn): void {
    const fields = new Map<AnswerField, MarkdownView>([
      ["text", this.#createView()],
      ["reasoning", this.#createView()],
    ]);
    for (const [name, field] of fields) {
      field.append(turn[name]);
      if (!isArriving(turn)) field.end();
    }
    const view = { turn, fields };
    this.#views.set(turn.id, view);
    this.#unfinished.add(view);
  }
}

export function isArriving({ state }: AnswerTurn): boolean {
  return state.kind === "waiting" || state.kind === "streaming" || state.kind === "retrying";
}
