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
      if (!ids.has(id)) this.#views.delete(id);
    }
    for (const turn of answers) {
      if (!this.#views.has(turn.id)) this.#create(turn);
    }
  }

  append(turn: AnswerTurn, field: AnswerField, text: string): void {
    // An answer that is not on the screen yet gets its whole text when it is.
    this.#views.get(turn.id)?.fields.get(field)?.append(text);
  }

  end(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    if (view !== undefined) {
      view.turn = turn;
      view.fields.forEach((field) => field.end());
    }
  }

  /** Draws until `deadline`, the newest answer first; true when nothing is left to draw. */
  draw(deadline: number): boolean {
    return [...this.#views.values()]
      .toReversed()
      .flatMap(({ fields }) => [...fields.values()])
      .every((view) => view.draw(deadline) && performance.now() < deadline);
  }

  /** Another transcript takes the place of the one on the screen: keeps what is the same in both. */
  replace(next: Transcript): void {
    const settled = new Map(next.turns.map((turn) => [turn.id, turn]));
    for (const [id, { turn }] of this.#views) {
      const same = settled.get(id);
      if (same?.kind !== "answer" || isArriving(turn) || same.text !== turn.text) {
        this.#views.delete(id);
      }
    }
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
    this.#views.set(turn.id, { turn, fields });
  }
}

export function isArriving({ state }: AnswerTurn): boolean {
  return state.kind === "waiting" || state.kind === "streaming";
}
