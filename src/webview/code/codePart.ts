import type { CodeToken } from "./codeHighlighting.ts";
import type { Translate } from "../../text/translate.ts";
import { markOf, openEndOf, splitAtInvisible, type VisiblePart } from "../../text/invisibleCharacters.ts";

/** Each mark is an element of its own; a text that has more shows the rest by a character that stands for any. */
const maxMarks = 200;
const anyInvisible = "\ufffd";

/** Appends a text to an element, with a mark for every invisible character; gives how many there were. */
export type AppendCode = (element: Element, parts: readonly VisiblePart[]) => number;

/** For one text. */
export function createAppendCode(translate: Translate): AppendCode {
  let marks = 0;
  return (element, parts) => {
    let count = 0;
    for (const part of parts) {
      if (part.type === "text") {
        appendText(element, part.text);
        continue;
      }
      count += part.count;
      marks += 1;
      if (marks > maxMarks) {
        appendText(element, anyInvisible);
        continue;
      }
      const mark = document.createElement("span");
      mark.className = "invisible-character";
      mark.dataset["mark"] = markOf(part);
      mark.title = translate("Invisible character {0}", markOf(part));
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", mark.title);
      mark.append(part.text);
      element.append(mark);
    }
    return count;
  };
}

/** Some lines of a code block: those that are coloured, and behind them what is not yet. */
export class CodePart {
  readonly element: HTMLElement;
  readonly #tail: HTMLElement;
  readonly #append: AppendCode;
  /** The end of the text, which more text may make a part of an emoji. */
  readonly #open = new Text();
  #rest = "";
  #isWrapped = false;

  constructor(append: AppendCode) {
    this.#append = append;
    this.element = document.createElement("span");
    this.element.className = "code-part";
    this.#tail = document.createElement("span");
    this.element.append(this.#tail, this.#open);
  }

  /** Gives how many invisible characters were marked. */
  append(added: string): number {
    const text = this.consumeOpen() + added;
    const end = text.length - openEndOf(text);
    this.#open.data = text.slice(end);
    return this.#settle(text.slice(0, end));
  }

  /** No text follows; gives how many invisible characters were marked. */
  end(): number {
    return this.#settle(this.consumeOpen());
  }

  /** Takes the end of the text away that more text may change. */
  consumeOpen(): string {
    const open = this.#open.data;
    this.#open.data = "";
    return open;
  }

  /** Its lines are too long to be scrolled along, and for colours. */
  wrap(): void {
    if (this.#isWrapped) return;
    this.#isWrapped = true;
    this.element.classList.add("wrapped");
  }

  get isWrapped(): boolean {
    return this.#isWrapped;
  }

  /** Text that is settled and not coloured yet. */
  get rest(): string {
    return this.#rest;
  }

  /** Puts tokens in the place of the first `length` characters that are not coloured. */
  colour(tokens: readonly CodeToken[], length: number): void {
    const fragment = document.createElement("span");
    for (const { text, kind } of tokens) {
      const token = kind === null ? fragment : document.createElement("span");
      if (kind !== null) token.className = `token-${kind}`;
      this.#append(token, splitAtInvisible(text));
      if (token !== fragment) fragment.append(token);
    }
    this.#tail.before(...fragment.childNodes);
    this.#rest = this.#rest.slice(length);
    this.#tail.replaceChildren();
    this.#append(this.#tail, splitAtInvisible(this.#rest));
  }

  #settle(text: string): number {
    this.#rest += text;
    return this.#append(this.#tail, splitAtInvisible(text));
  }
}

function appendText(element: Element, text: string): void {
  const last = element.lastChild;
  if (last instanceof Text) last.appendData(text);
  else element.append(text);
}
