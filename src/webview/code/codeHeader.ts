import type { Translate } from "../../l10n.ts";
import type { CodeButton } from "./codeButtons.ts";
import { createCodeButtons } from "./codeButtons.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { isShellLanguage } from "../../chat/code/shellCommand.ts";
import type { FenceInfo } from "../../text/markdown/codeBlockInfo.ts";

export interface CodeHeader {
  readonly element: HTMLElement;
  /** Says that the code has so many invisible characters. */
  tellInvisible(count: number): void;
}

/** What stands above the code: its language or file, what can be done with it, and what is to be said. */
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
    tellInvisible: (count) => {
      if (notice === undefined) {
        notice = createElement("p", "code-notice");
        element.append(notice);
      }
      notice.textContent =
        count === 1
          ? translate("This code contains an invisible character. It is marked below.")
          : translate("This code contains {0} invisible characters. They are marked below.", count);
    },
  };
}

function createElement(tag: "div" | "span" | "p", className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}
