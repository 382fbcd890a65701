import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";
import { codeButtonAt, showDone } from "./codeButtons.ts";
import type { DrawnCode, PageServices } from "../context/pageContext.ts";

/** Of the text above a block, as much as a sentence that names a file needs. */
const longestAbove = 1000;

/** Does what the button on a code block says, if the press was on one. */
export function pressCodeButton(target: Element | null, { model, t }: PageServices): void {
  const button = codeButtonAt(target);
  const block = button === undefined ? undefined : model.codeBlocks.around(button.element);
  if (button === undefined || block === undefined) return;
  if (button.action === "copy") {
    model.post({ type: "copy", text: block.text });
    model.announce(t("Copied"));
    showDone(button.element, t("Copied"));
  } else {
    model.post({ type: "code-action", action: button.action, block: readBlock(block) });
  }
}

function readBlock({ text, info, language, element }: DrawnCode): CodeBlockText {
  const above = element.previousElementSibling;
  const sentence = above?.classList.contains("code-block") === false ? (above.textContent ?? "") : "";
  return {
    text,
    info: info.slice(0, longestAbove),
    language: language.slice(0, 100),
    above: sentence.slice(-longestAbove),
  };
}
