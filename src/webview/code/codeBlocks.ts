import type { CodeColors } from "../../chat/page/codeColors.ts";
import { showInvisible, splitAtInvisible } from "../../text/invisibleCharacters.ts";
import type * as highlighting from "./codeHighlighting.ts";
import type { Translate } from "../../text/translate.ts";
import { CodeBlock } from "./codeBlock.ts";
import { createAppendCode } from "./codePart.ts";

type Highlighting = Pick<typeof highlighting, "createLineTokenizer">;

/** Creates the page's code blocks, finds them by element, and colors them step by step. */
export class CodeBlocks {
  readonly #translate: Translate;
  readonly #wake: () => void;
  readonly #needColors: () => void;
  readonly #byElement = new WeakMap<Element, CodeBlock>();
  /** Blocks with lines left to color. */
  readonly #waiting = new Set<CodeBlock>();
  #highlighting: Highlighting | "loading" | "none" = "none";

  /** `wake` is called when blocks need a frame to be colored in; `needColors` before the first block is colored. */
  constructor(translate: Translate, wake: () => void, needColors: () => void) {
    this.#needColors = needColors;
    this.#translate = translate;
    this.#wake = wake;
  }

  /** `info` is the text after the opening fence. */
  create(info: string): CodeBlock {
    const block = new CodeBlock(info, createAppendCode(this.#translate), this.#translate);
    this.#byElement.set(block.element, block);
    if (block.language !== "") {
      this.#startColouring(block);
    }
    return block;
  }

  /** Call it when the block has new text or has ended. */
  changed(block: CodeBlock): void {
    if (block.language !== "") this.#waiting.add(block);
  }

  /** The block that contains an element. */
  around(element: Element): CodeBlock | undefined {
    const block = element.closest(".code-block");
    return block === null ? undefined : this.#byElement.get(block);
  }

  /** Applies the theme's colors to existing and future code. */
  applyColors(colors: CodeColors): void {
    const { style } = document.documentElement;
    const applied = Array.from(style).filter((name) => name.startsWith("--theme-"));
    for (const name of applied) style.removeProperty(name);
    for (const [kind, color] of Object.entries(colors)) style.setProperty(`--theme-${kind}`, color);
  }

  /** Marks invisible characters in inline code. */
  showInvisible(code: Element): void {
    const text = code.textContent;
    if (showInvisible(text) === text) return;
    code.replaceChildren();
    createAppendCode(this.#translate)(code, splitAtInvisible(text));
  }

  /** Colors until `deadline`. Returns true when nothing is left to color now. */
  draw(deadline: number): boolean {
    if (typeof this.#highlighting === "string") return true;
    for (const block of this.#waiting) {
      // Skip a block that a redraw has replaced.
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
        // Code stays in one color; the next block tries to load the module again.
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
