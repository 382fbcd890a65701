/** What was typed into the box of the page's HTML (`frame.ts`) before the chat was there. */
export interface EarlyText {
  readonly typed: string;
  /** Ended by Enter, ahead of what was typed. */
  readonly asked: string | undefined;
}

/** Takes the box over, once: from then on its keys are the composer's. */
export function takeEarlyText(): EarlyText {
  const box = document.querySelector<HTMLTextAreaElement>("textarea[data-early]");
  if (box === null) return { typed: "", asked: undefined };
  delete box.dataset["early"];
  return { typed: box.value, asked: box.dataset["asked"] };
}
