import { wholeStart } from "./wholeCharacters.ts";

/** A model that writes more than this has lost its way; no commit message is longer. */
export const longestCommitMessage = 10_000;

/**
 * The message in an answer that may still be arriving: without a fence or a language word around it, which
 * models add though they were asked not to.
 */
export function readCommitMessage(answer: string): string {
  const text = wholeStart(answer, longestCommitMessage).trimStart();
  // A fence may have come in part: nothing of it is shown before its line has ended.
  if (/^`{1,2}$|^```[^\n]*$/.test(text)) return "";
  const fence = /^(`{3,})[^\n]*\n/.exec(text);
  if (fence === null) return text.trimEnd();
  const [opening, marks = ""] = fence;
  const inside = text.slice(opening.length);
  const end = inside.indexOf(`\n${marks}`);
  const message = end === -1 ? inside.replace(/\n`*$/, "") : inside.slice(0, end);
  return message.trim();
}
