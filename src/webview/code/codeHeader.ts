import type { Translate } from "../../text/translate.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import type { CodeActionId } from "../../chat/page/protocol.ts";
import { isShellLanguage } from "../../chat/code/shellCommand.ts";
import type { CodeBlockText, FenceInfo } from "../../text/markdown/codeBlockInfo.ts";
import { createIcon } from "../controls/icons.tsx";
import type { DrawnCode, PageServices } from "../context/pageContext.ts";

/** The action of a button on a code block. */
type CodeButton = "copy" | CodeActionId;

const attribute = "data-code-action";
const selector = `button[${attribute}]`;

/** How long a button shows that its action is done, in ms. */
const doneTime = 1500;

const codeButtonNames: Readonly<Record<CodeButton, (t: Translate) => string>> = {
  copy: (t) => t("Copy Code"),
  insert: (t) => t("Insert at Cursor"),
  apply: (t) => t("Apply in Editor"),
  save: (t) => t("Save as New File"),
  run: (t) => t("Run in Terminal"),
};

/** Maximum UTF-16 units of the text above a block to send: enough for a sentence that names a file. */
const maxAboveLength = 1000;

/** The header of a code block. */
export interface CodeHeader {
  readonly element: HTMLElement;
  /** Shows a notice with the number of invisible characters in the code. */
  showInvisibleCount(count: number): void;
}

/** Creates the header: the language or file name, the action buttons, and a place for notices. */
export function createCodeHeader({ language, path }: FenceInfo, translate: Translate): CodeHeader {
  const element = document.createElement("div");
  const row = createElement("div", "code-header");
  const label = createElement("span", "code-language");
  label.textContent = showInvisible(path ?? (language === "" ? translate("Text") : language));
  label.title = label.textContent;
  const buttons: CodeButton[] = ["copy", "insert", "apply", "save"];
  if (isShellLanguage(language)) buttons.push("run");
  row.append(label, createCodeButtons(buttons, translate));
  element.append(row);
  let notice: HTMLElement | undefined;
  return {
    element,
    showInvisibleCount: (count) => {
      if (notice === undefined) {
        notice = createElement("p", "code-notice");
        element.append(notice);
      }
      notice.textContent =
        count === 1
          ? translate("This code contains an invisible character, marked below.")
          : translate("This code contains {0} invisible characters, marked below.", count);
    },
  };
}

/** Runs the action of a code block's button, if the pressed element belongs to such a button. */
export function pressCodeButton(target: Element | null, { model, t }: PageServices): void {
  const button = codeButtonAt(target);
  const block = button === undefined ? undefined : model.codeBlocks.around(button.element);
  if (button === undefined || block === undefined) return;
  if (button.action === "copy") {
    model.post({ type: "copy", text: block.text });
    model.announce(t("Copied"));
    showDone(button.element, t("Copied"));
  } else {
    model.post({ type: "code-action", action: button.action, block: describeBlock(block) });
  }
}

/** Moves the focus among the buttons of a block. Returns true if it handled the key. */
export function moveAmongButtons(event: KeyboardEvent): boolean {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
  if (button === null || event.ctrlKey || event.altKey || event.metaKey) return false;
  const buttons = [...(button.parentElement?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const next = buttons.at(nextIndex(event.key, buttons.indexOf(button), buttons.length) ?? buttons.length);
  if (next === undefined) return false;
  for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
  next.focus();
  return true;
}

function createElement(tag: "div" | "span" | "p", className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

/** A toolbar with a single Tab stop; arrow keys move between its buttons. */
function createCodeButtons(buttons: readonly CodeButton[], translate: Translate): HTMLElement {
  const toolbar = document.createElement("div");
  toolbar.className = "code-buttons";
  toolbar.setAttribute("role", "toolbar");
  toolbar.setAttribute("aria-label", translate("Code Block Actions"));
  for (const [index, action] of buttons.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "icon-button";
    button.setAttribute(attribute, action);
    button.title = codeButtonNames[action](translate);
    button.setAttribute("aria-label", button.title);
    button.tabIndex = index === 0 ? 0 : -1;
    button.append(createIcon(action));
    toolbar.append(button);
  }
  return toolbar;
}

/** The button that an event came from, with its action. */
function codeButtonAt(
  target: Element | null,
): { readonly element: HTMLElement; readonly action: CodeButton } | undefined {
  const element = target?.closest<HTMLElement>(selector);
  const action = element?.getAttribute(attribute) ?? "";
  return element && isCodeButton(action) ? { element, action } : undefined;
}

function isCodeButton(action: string): action is CodeButton {
  return Object.hasOwn(codeButtonNames, action);
}

/** Shows briefly that the button's action is done. */
function showDone(button: HTMLElement, message: string): void {
  const word = document.createElement("span");
  word.className = "copied";
  word.ariaHidden = "true";
  word.textContent = message;
  button.replaceChildren(word, createIcon("check"));
  window.setTimeout(() => button.replaceChildren(createIcon("copy")), doneTime);
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case "ArrowRight":
      return (index + 1) % count;
    case "ArrowLeft":
      return index - 1;
    case "Home":
      return 0;
    case "End":
      return -1;
    default:
      return undefined;
  }
}

function describeBlock({ text, info, language, element }: DrawnCode): CodeBlockText {
  const above = element.previousElementSibling;
  const sentence = above?.classList.contains("code-block") === false ? (above.textContent ?? "") : "";
  return {
    text,
    info: info.slice(0, maxAboveLength),
    language: language.slice(0, 100),
    above: sentence.slice(-maxAboveLength),
  };
}
