import type { AnswerTurn, Transcript, Turn } from "../../chat/transcript/transcript.ts";
import type { MarkdownView } from "../markdown/markdownView.ts";

/** The texts of an answer that stream in. */
export type AnswerField = "text" | "reasoning";

interface AnswerView {
  turn: AnswerTurn;
  readonly fields: Map<AnswerField, MarkdownView>;
}

/** Caches the rendered texts of the answers by answer ID, so that they survive every render of the page. */
export class AnswerViews {
  readonly #createView: () => MarkdownView;
  readonly #wake: () => void;
  /** Answers that are on the screen or about to be. */
  #shown: ReadonlyMap<string, AnswerTurn> = new Map();
  readonly #views = new Map<string, AnswerView>();
  /** Views with text left to draw, so that a frame skips all others. */
  readonly #unfinished = new Set<AnswerView>();

  /** `wake` is called when a new view needs a frame to draw in. */
  constructor(createView: () => MarkdownView, wake: () => void) {
    this.#createView = createView;
    this.#wake = wake;
  }

  /** The element that shows this text; undefined if the answer is not on the screen. Creates the view on first use. */
  elementOf(id: string, field: AnswerField): HTMLElement | undefined {
    const turn = this.#shown.get(id);
    if (turn === undefined) return undefined;
    const view = this.#views.get(id) ?? { turn, fields: new Map() };
    this.#views.set(id, view);
    return (view.fields.get(field) ?? this.#create(view, turn, field)).element;
  }

  /** Sets the turns on the screen and drops the views of all other answers. */
  show(turns: readonly Turn[]): void {
    this.#shown = new Map(turns.flatMap((turn) => (turn.kind === "answer" ? [[turn.id, turn]] : [])));
    for (const id of this.#views.keys()) {
      if (!this.#shown.has(id)) this.#forget(id);
    }
  }

  append(turn: AnswerTurn, field: AnswerField, text: string): void {
    // An answer without a view gets its whole text when its view is created.
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

  /** Draws until `deadline`, newest answer first. Returns true when nothing is left to draw. */
  draw(deadline: number): boolean {
    for (const view of [...this.#unfinished].toReversed()) {
      const drawn = [...view.fields.values()].every((field) => field.draw(deadline));
      if (!drawn) return false;
      this.#unfinished.delete(view);
      if (performance.now() >= deadline) break;
    }
    return this.#unfinished.size === 0;
  }

  /** Prepares for another transcript: keeps the views of finished answers that are the same in both. */
  replace(next: Transcript): void {
    const settled = new Map(next.turns.map((turn) => [turn.id, turn]));
    for (const [id, { turn }] of this.#views) {
      const same = settled.get(id);
      const isKept =
        same?.kind === "answer" &&
        !isArriving(turn) &&
        same.text === turn.text &&
        same.reasoning === turn.reasoning;
      if (!isKept) this.#forget(id);
    }
  }

  #forget(id: string): void {
    const view = this.#views.get(id);
    if (view !== undefined) this.#unfinished.delete(view);
    this.#views.delete(id);
  }

  #create(view: AnswerView, turn: AnswerTurn, name: AnswerField): MarkdownView {
    const field = this.#createView();
    field.append(turn[name]);
    if (!isArriving(turn)) field.end();
    view.fields.set(name, field);
    this.#unfinished.add(view);
    this.#wake();
    return field;
  }
}

export function isArriving({ state }: AnswerTurn): boolean {
  switch (state.kind) {
    case "waiting":
    case "streaming":
    case "retrying":
      return true;
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return false;
  }
}
