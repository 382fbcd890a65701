import type { Translate } from "../l10n.ts";

/** Lines in one part of a code block. Only the last part is laid out again when text arrives. */
const linesPerPart = 40;

export interface CodeBlock {
  readonly element: HTMLElement;
  append(text: string): void;
}

export const copyCodeSelector = "button[data-copy-code]";

export function createCodeBlock(language: string, translate: Translate): CodeBlock {
  const element = createElement("div", "code-block");
  const header = createElement("div", "code-header");
  const label = createElement("span", "code-language");
  label.textContent = language === "" ? translate("Text") : language;
  const copy = document.createElement("button");
  copy.type = "button";
  copy.dataset["copyCode"] = "";
  copy.textContent = translate("Copy Code");
  header.append(label, copy);
  const block = document.createElement("pre");
  const code = document.createElement("code");
  code.dir = "ltr";
  block.append(code);
  element.append(header, block);
  return { element, append: createCodeWriter(code) };
}

/** The text of the code block that holds this element. */
export function codeAround(element: Element): string {
  return element.closest(".code-block")?.querySelector("code")?.textContent ?? "";
}

function createCodeWriter(code: HTMLElement): (text: string) => void {
  let part: Text | undefined;
  let lines = 0;
  return (text) => {
    for (const line of text.split(/(?<=\n)/)) {
      if (part === undefined || lines >= linesPerPart) {
        part = document.createTextNode("");
        lines = 0;
        const box = createElement("span", "code-part");
        box.append(part);
        code.append(box);
      }
      part.appendData(line);
      lines += line.endsWith("\n") ? 1 : 0;
    }
  };
}

function createElement(tag: "div" | "span", className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}
