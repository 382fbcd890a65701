import type { AnswerTurn, Transcript, Turn } from "../../chat/transcript/transcript.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
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
  /** Texts with something left to draw, so that a frame skips all others. */
  readonly #unfinished = new Set<MarkdownView>();
  /** Shows the end of the running call's output. Only one call runs at a time. */
  readonly output = document.createElement("pre");

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

  /** Replaces the output of the running call, without a render of the page. */
  showOutput(output: string): void {
    this.output.textContent = showInvisible(output);
  }

  append(turn: AnswerTurn, field: AnswerField, text: string): void {
    // An answer without a view gets its whole text when its view is created.
    const shown = this.#views.get(turn.id)?.fields.get(keyOf(field, turn.steps?.length ?? 0));
    if (shown === undefined) return;
    shown.append(text);
    this.#unfinished.add(shown);
  }

  /** The last part of the answer has ended, and another one follows. `turn` is the answer before that. */
  endPart(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    for (const field of fields) this.#end(view?.fields.get(keyOf(field, turn.steps?.length ?? 0)));
  }

  /** The answer goes on after its end, so its last part may grow again. */
  resume(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    if (view === undefined) return;
    view.turn = turn;
    for (const field of fields) {
      const key = keyOf(field, turn.steps?.length ?? 0);
      const shown = view.fields.get(key);
      if (shown !== undefined) this.#unfinished.delete(shown);
      view.fields.delete(key);
    }
  }

  end(turn: AnswerTurn): void {
    const view = this.#views.get(turn.id);
    if (view === undefined) return;
    view.turn = turn;
    for (const field of fields) this.#end(view.fields.get(keyOf(field, turn.steps?.length ?? 0)));
  }

  /** Draws until `deadline`, newest text first. Returns true when nothing is left to draw. */
  draw(deadline: number): boolean {
    for (const field of [...this.#unfinished].toReversed()) {
      if (!field.draw(deadline)) return false;
      this.#unfinished.delete(field);
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
    const running = next.arriving?.steps?.at(-1)?.calls.find(({ state }) => state.kind === "running")?.state;
    this.showOutput(running?.kind === "running" ? (running.output ?? "") : "");
  }

  #forget(id: string): void {
    this.#views.get(id)?.fields.forEach((field) => this.#unfinished.delete(field));
    this.#views.delete(id);
  }

  #end(field: MarkdownView | undefined): void {
    if (field === undefined) return;
    field.end();
    this.#unfinished.add(field);
  }

  #create(view: AnswerView, turn: AnswerTurn, name: AnswerField, part: number): MarkdownView {
    const field = this.#createView();
    field.append(textOf(turn, name, part));
    if (!isArriving(turn) || part < (turn.steps?.length ?? 0)) field.end();
    view.fields.set(keyOf(name, part), field);
    this.#unfinished.add(field);
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

/** The text of one part as in `partsOf`, which would cut all parts. */
function textOf(turn: AnswerTurn, field: AnswerField, part: number): string {
  const { steps = [] } = turn;
  const end = field === "text" ? "textEnd" : "reasoningEnd";
  return turn[field].slice(steps[part - 1]?.[end] ?? 0, steps[part]?.[end]);
}

function keyOf(field: AnswerField, part: number): string {
  return `${field} ${part}`;
}
