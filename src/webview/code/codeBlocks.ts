import type { CodeColors } from "../../chat/page/codeColors.ts";
import { showInvisible, splitAtInvisible } from "../../text/invisibleCharacters.ts";
import type * as highlighting from "./codeHighlighting.ts";
import type { Translate } from "../../text/translate.ts";
import { CodeBlock } from "./codeBlock.ts";
import { createAppendCode } from "./codePart.ts";

type Highlighting = Pick<typeof highlighting, "createLineTokenizer">;

/** The page's code blocks: makes them, knows their texts, and colours them bit by bit. */
export class CodeBlocks {
  readonly #translate: Translate;
  readonly #wake: () => void;
  readonly #needColors: () => void;
  readonly #byElement = new WeakMap<Element, CodeBlock>();
  /** Those with lines to colour. */
  readonly #waiting = new Set<CodeBlock>();
  #highlighting: Highlighting | "loading" | "none" = "none";

  /**
   * `wake` is called when there is something to colour at a time of its own, `needColors` when there is
   * something to colour for the first time.
   */
  constructor(translate: Translate, wake: () => void, needColors: () => void) {
    this.#needColors = needColors;
    this.#translate = translate;
    this.#wake = wake;
  }

  /** `info` is what stands behind the fence's mark. */
  create(info: string): CodeBlock {
    const block = new CodeBlock(info, createAppendCode(this.#translate), this.#translate);
    this.#byElement.set(block.element, block);
    if (block.language !== "") {
      this.#startColouring(block);
    }
    return block;
  }

  /** Text has come to the block, or it has ended. */
  changed(block: CodeBlock): void {
    if (block.language !== "") this.#waiting.add(block);
  }

  /** The block that an element belongs to. */
  around(element: Element): CodeBlock | undefined {
    const block = element.closest(".code-block");
    return block === null ? undefined : this.#byElement.get(block);
  }

  /** Gives all code the theme's colours, also code that comes later. */
  applyColors(colors: CodeColors): void {
    const { style } = document.documentElement;
    const applied = Array.from(style).filter((name) => name.startsWith("--theme-"));
    for (const name of applied) style.removeProperty(name);
    for (const [kind, color] of Object.entries(colors)) style.setProperty(`--theme-${kind}`, color);
  }

  /** Marks invisible characters in code that stands in a line. */
  showInvisible(code: Element): void {
    const text = code.textContent;
    if (showInvisible(text) === text) return;
    code.replaceChildren();
    createAppendCode(this.#translate)(code, splitAtInvisible(text));
  }

  /** Colours until `deadline`; true when nothing is left that can be coloured now. */
  draw(deadline: number): boolean {
    if (typeof this.#highlighting === "string") return true;
    for (const block of this.#waiting) {
      // What was drawn anew since has a block of its own.
      if (block.element.isConnected && !block.colour(deadline)) return false;
      this.#waiting.delete(block);
    }
    return true;
  }

  #startColouring(block: CodeBlock): void {
    this.#waiting.add(block);
    if (typeof this.#highlighting !== "string") {
      block.setTokenizer(this.#highlighting.createLineTokenizer(block.language));
      return;
    }
    if (this.#highlighting === "none") {
      this.#highlighting = "loading";
      this.#needColors();
      import("./codeHighlighting.ts").then(
        (loaded) => this.#begin(loaded),
        // Without it code has one colour; the next block tries again.
        () => (this.#highlighting = "none"),
      );
    }
  }

  #begin(highlighting: Highlighting): void {
    this.#highlighting = highlighting;
    for (const block of this.#waiting) {
      block.setTokenizer(highlighting.createLineTokenizer(block.language));
    }
    this.#wake();
  }
}
