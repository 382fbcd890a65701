import { texOf } from "../../text/markdown/formulas.ts";
import type { Translate } from "../../text/translate.ts";
import { watchOverflow } from "../scrolling/scrollStops.ts";
import { formulaMarks } from "./markdownHtml.ts";
import type * as rendering from "./formulaRendering.ts";

type Rendering = Pick<typeof rendering, "renderFormula">;
type Rendered = ReturnType<Rendering["renderFormula"]>;

/** Holds the source of a drawn formula, with its marks. */
const sourceAttribute = "data-source";
/** Maximum number of results to keep. Redrawing an open block shows its formulas again without drawing them. */
const maxResults = 400;

/** Draws the formulas of answers step by step. Loads the renderer with the first formula. */
export class DrawnFormulas {
  readonly #translate: Translate;
  readonly #wake: () => void;
  readonly #waiting = new Set<HTMLElement>();
  readonly #results = new Map<string, Rendered>();
  #rendering: Rendering | "loading" | "none" = "none";

  /** `wake` is called when formulas need a frame to be drawn in. */
  constructor(translate: Translate, wake: () => void) {
    this.#translate = translate;
    this.#wake = wake;
  }

  /**
   * Prepares an element with the source of a formula. Its formula is drawn at once if it was drawn before, otherwise by
   * `draw`. An element that `convertPieceToHtml` did not mark is left as text.
   */
  finish(element: HTMLElement): void {
    const mark = element.dataset["formula"];
    delete element.dataset["formula"];
    if (mark !== formulaMarks.inline && mark !== formulaMarks.display && mark !== formulaMarks.unfinished)
      return;
    element.className = mark === formulaMarks.inline ? "formula" : "formula display-formula";
    element.dir = "ltr";
    if (mark === formulaMarks.unfinished) return;
    element.setAttribute(sourceAttribute, element.textContent);
    const known = this.#results.get(keyOf(element));
    if (known !== undefined) {
      this.#show(element, known);
      return;
    }
    this.#waiting.add(element);
    this.#load();
  }

  /** Draws until `deadline`. Returns true when nothing is left to draw now. */
  draw(deadline: number): boolean {
    if (typeof this.#rendering === "string") return true;
    for (const element of this.#waiting) {
      if (performance.now() >= deadline) return false;
      this.#waiting.delete(element);
      // Skip an element that a redraw has replaced.
      if (element.isConnected) this.#show(element, this.#render(element, this.#rendering));
    }
    return true;
  }

  #render(element: HTMLElement, { renderFormula }: Rendering): Rendered {
    const key = keyOf(element);
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    const result = renderFormula(texOf(sourceOf(element)), isDisplay(element));
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size >= maxResults) this.#results.delete(oldest);
    this.#results.set(key, result);
    return result;
  }

  #show(element: HTMLElement, result: Rendered): void {
    const t = this.#translate;
    if (result.kind === "failed") {
      element.title = t("Can't draw this formula: {0}", result.reason ?? t("It is too long or too complex."));
      return;
    }
    element.replaceChildren(result.math.cloneNode(true));
    watchOverflow(element, t("Formula"));
  }

  #begin(loaded: Rendering): void {
    this.#rendering = loaded;
    document.addEventListener("copy", copyFormulaSources);
    this.#wake();
  }

  #load(): void {
    if (this.#rendering !== "none") return;
    this.#rendering = "loading";
    import("./formulaRendering.ts").then(
      (loaded) => this.#begin(loaded),
      // Formulas stay as their source; the next formula tries to load the module again.
      () => (this.#rendering = "none"),
    );
  }
}

const sourceOf = (element: Element): string => element.getAttribute(sourceAttribute) ?? "";
const isDisplay = (element: Element): boolean => element.classList.contains("display-formula");
const keyOf = (element: Element): string =>
  `${isDisplay(element) ? "display" : "inline"} ${sourceOf(element)}`;

/** Copies the source of formulas in place of their letters, which lose their places on one line. */
function copyFormulaSources(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || event.clipboardData === null) return;
  const range = selection.getRangeAt(0).cloneRange();
  // A formula is copied as a whole, even if the selection begins or ends in it.
  const [first, last] = [range.startContainer, range.endContainer].map(formulaAround);
  if (first !== null && first !== undefined) range.setStartBefore(first);
  if (last !== null && last !== undefined) range.setEndAfter(last);
  const copy = document.createElement("div");
  copy.append(range.cloneContents());
  const formulas = copy.querySelectorAll(`[${sourceAttribute}]`);
  if (formulas.length === 0) return;
  for (const formula of formulas) formula.replaceChildren(sourceOf(formula));
  copy.querySelectorAll("button").forEach((button) => button.remove());
  // The text of an element has the line breaks of its blocks only while the element is laid out.
  copy.className = "markdown copied-text";
  document.body.append(copy);
  event.clipboardData.setData("text/plain", copy.innerText);
  event.clipboardData.setData("text/html", copy.innerHTML);
  copy.remove();
  event.preventDefault();
}

function formulaAround(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(`[${sourceAttribute}]`) ?? null;
}
