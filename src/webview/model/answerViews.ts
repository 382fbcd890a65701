import type { AnswerTurn, Transcript, Turn } from "../../chat/transcript/transcript.ts";
import { partsOf } from "../../chat/transcript/steps.ts";
import type { MarkdownView } from "../markdown/markdownView.ts";

/** The texts of an answer that stream in. */
const fields = ["text", "reasoning"] as const;
export type AnswerField = (typeof fields)[number];

interface AnswerView {
  turn: AnswerTurn;
  /** By field and part, such as `text 0`. */
  readonly fields: Map<string, MarkdownView>;
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

  /**
   * The element that shows the text of a part; undefined if the answer is not on the screen. Creates the view on first
   * use.
   *
   * @param part index in `partsOf` the answer
   */
  elementOf(id: string, field: AnswerField, part: number): HTMLElement | undefined {
    const turn = this.#shown.get(id);
    if (turn === undefined) return undefined;
    const view = this.#views.get(id) ?? { turn, fields: new Map() };
    this.#views.set(id, view);
    return (view.fields.get(keyOf(field, part)) ?? this.#create(view, turn, field, part)).element;
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
    view.fields.get(keyOf(field, turn.steps?.length ?? 0))?.append(text);
    this.#unfinished.add(view);
  }

  /** The last part of the answer has ended, and another one follows. `turn` is the answer before that. */
  endPart(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    if (view === undefined) return;
    for (const field of fields) view.fields.get(keyOf(field, turn.steps?.length ?? 0))?.end();
    this.#unfinished.add(view);
  }

  /** The answer goes on after its end, so its last part may grow again. */
  resume(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    if (view === undefined) return;
    view.turn = turn;
    for (const field of fields) view.fields.delete(keyOf(field, turn.steps?.length ?? 0));
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
        same.reasoning === turn.reasoning &&
        same.steps?.length === turn.steps?.length;
      if (!isKept) this.#forget(id);
    }
  }

  #forget(id: string): void {
    const view = this.#views.get(id);
    if (view !== undefined) this.#unfinished.delete(view);
    this.#views.delete(id);
  }

  #create(view: AnswerView, turn: AnswerTurn, name: AnswerField, part: number): MarkdownView {
    const field = this.#createView();
    const parts = partsOf(turn);
    field.append(parts[part]?.[name] ?? "");
    if (!isArriving(turn) || part < parts.length - 1) field.end();
    view.fields.set(keyOf(name, part), field);
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
    case "working":
    case "paused":
      return true;
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return false;
  }
}

function keyOf(field: AnswerField, part: number): string {
  return `${field} ${part}`;
}
