import type { CodeToken } from "./codeHighlighting.ts";
import type { Translate } from "../../text/translate.ts";
import { markOf, openEndOf, splitAtInvisible, type VisiblePart } from "../../text/invisibleCharacters.ts";

/**
 * Maximum number of marks per text, because each mark is an element. Further invisible characters are shown as U+FFFD.
 */
const maxMarks = 200;
const anyInvisible = "\ufffd";

/** Appends text to an element and marks every invisible character. Returns the number of invisible characters. */
export type AppendCode = (element: Element, parts: readonly VisiblePart[]) => number;

/** Creates an `AppendCode` that limits the marks of one text to `maxMarks`. */
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

/** A few lines of a code block: the colored ones, followed by the rest. */
export class CodePart {
  readonly element: HTMLElement;
  readonly #tail: HTMLElement;
  readonly #append: AppendCode;
  /** The end of the text, which further text may join to an emoji. */
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

  /** Adds text. Returns the number of new invisible characters, without those in the open end. */
  append(added: string): number {
    const text = this.consumeOpen() + added;
    const end = text.length - openEndOf(text);
    this.#open.data = text.slice(end);
    return this.#settle(text.slice(0, end));
  }

  /** Settles the open end, because no text follows. Returns the number of invisible characters in this end. */
  end(): number {
    return this.#settle(this.consumeOpen());
  }

  /** Removes and returns the end of the text that further text may change. */
  consumeOpen(): string {
    const open = this.#open.data;
    this.#open.data = "";
    return open;
  }

  /** Makes the lines wrap: they are too long to scroll and to color. */
  wrap(): void {
    if (this.#isWrapped) return;
    this.#isWrapped = true;
    this.element.classList.add("wrapped");
  }

  get isWrapped(): boolean {
    return this.#isWrapped;
  }

  /** Settled text that is not colored yet. */
  get rest(): string {
    return this.#rest;
  }

  /** Replaces the first `length` UTF-16 units of the uncolored text by tokens. */
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
