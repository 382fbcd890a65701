import type { Translate } from "../../l10n.ts";
import { createIcon } from "../controls/icons.tsx";

/** What a button on a code block does. */
export type CodeButton = "copy" | "insert" | "apply" | "save" | "run";

const attribute = "data-code-action";
const selector = `button[${attribute}]`;

/** Says for how long a press was taken, in milliseconds. */
const doneTime = 1500;

/** One stop for the Tab key; arrows go from button to button. */
export function createCodeButtons(buttons: readonly CodeButton[], translate: Translate): HTMLElement {
  const toolbar = document.createElement("div");
  toolbar.className = "code-buttons";
  toolbar.setAttribute("role", "toolbar");
  toolbar.setAttribute("aria-label", translate("Code actions"));
  for (const [index, action] of buttons.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "icon-button";
    button.setAttribute(attribute, action);
    button.title = nameOf(action, translate);
    button.setAttribute("aria-label", button.title);
    button.tabIndex = index === 0 ? 0 : -1;
    button.append(createIcon(action));
    toolbar.append(button);
  }
  return toolbar;
}

/** The button that an event came from, and what it does. */
export function codeButtonAt(
  target: Element | null,
): { readonly element: HTMLElement; readonly action: CodeButton } | undefined {
  const element = target?.closest<HTMLElement>(selector);
  const action = element?.getAttribute(attribute);
  switch (action) {
    case "copy":
    case "insert":
    case "apply":
    case "save":
    case "run":
      return element ? { element, action } : undefined;
    default:
      return undefined;
  }
}

/** Shows for a moment that the button's work is done. */
export function showDone(button: HTMLElement, message: string): void {
  const word = document.createElement("span");
  word.className = "copied";
  word.ariaHidden = "true";
  word.textContent = message;
  button.replaceChildren(word, createIcon("check"));
  window.setTimeout(() => button.replaceChildren(createIcon("copy")), doneTime);
}

/** Moves the focus among the buttons of a block; true where the key was one for that. */
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

function nameOf(action: CodeButton, translate: Translate): string {
  switch (action) {
    case "copy":
      return translate("Copy Code");
    case "insert":
      return translate("Insert at Cursor");
    case "apply":
      return translate("Apply in Editor");
    case "save":
      return translate("Save as New File");
    case "run":
      return translate("Run in Terminal");
  }
}
