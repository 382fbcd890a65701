import { findMention } from "./mention.ts";

/** What was typed into the box of the page's HTML (`frame.ts`) before the chat was there. */
export interface EarlyText {
  /** What stands in the composer then, a draft included. */
  readonly text: string;
  /** A question that Enter has ended, and that is to be sent as it is. */
  readonly asked?: string;
  readonly isTyped: boolean;
}

/**
 * Takes the box over, once: from then on its keys are the composer's. What was typed goes on from the draft. A question
 * is not sent with what could not be seen when it was asked, a draft or attachments, and not while it ends in the
 * search for something to attach.
 */
export function takeEarlyText(draft: string, hasAttachments: boolean): EarlyText {
  const box = document.querySelector<HTMLTextAreaElement>("textarea[data-early]");
  if (box === null) return { text: draft, isTyped: false };
  delete box.dataset["early"];
  const { asked } = box.dataset;
  const isTyped = asked !== undefined || box.value !== "";
  if (!isTyped) return { text: draft, isTyped };
  if (asked === undefined) {
    // Not by another value, which would move the caret to its end.
    box.setRangeText(draft, 0, 0, "preserve");
    return { text: box.value, isTyped };
  }
  if (draft === "" && !hasAttachments && !endsInSearch(asked)) return { text: box.value, asked, isTyped };
  return { text: joinTexts(joinTexts(draft, asked), box.value), isTyped };
}

/** Each in paragraphs of its own. */
export function joinTexts(first: string, second: string): string {
  return [first, second].filter((text) => text.trim() !== "").join("\n\n");
}

function endsInSearch(value: string): boolean {
  return findMention({ value, selectionStart: value.length, selectionEnd: value.length })?.mark === "#";
}
