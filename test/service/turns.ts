import { Refusal } from "./errorAnswers.ts";
import type { Said } from "./fields.ts";

/**
 * A part of a message in the messages style: text, image, PDF file, tool call, result of a tool call, or reasoning. `call` and
 * `resultOf` are the ID of the call.
 */
export interface Block extends Said {
  readonly call?: string;
  readonly resultOf?: string;
  readonly isThinking?: true;
}

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly Block[];
}

/** Checks rules of the strictest servers: alternating roles, tool results first, no empty text. */
export function checkTurns(turns: readonly Turn[]): void {
  for (const [index, { role, content }] of turns.entries()) {
    const before = turns[index - 1];
    if (before?.role === role) throw refusal(index, `the role \`${role}\` follows itself.`);
    if (content.length === 0 || content.some(isBlank)) throw refusal(index, "text must not be blank.");
    const firstOther = content.findIndex(({ resultOf }) => resultOf === undefined);
    const lastResult = content.findLastIndex(({ resultOf }) => resultOf !== undefined);
    if (firstOther !== -1 && firstOther < lastResult)
      throw refusal(index, "tool results must stand ahead of all else.");
  }
}

function isBlank({ text, images, pdfs, call, resultOf, isThinking }: Block): boolean {
  const isOther = call !== undefined || resultOf !== undefined || isThinking === true;
  return text.trim() === "" && images.length + pdfs.length === 0 && !isOther;
}

function refusal(index: number, sentence: string): Refusal {
  return new Refusal("out-of-range", `messages.${index}: ${sentence}`, "messages");
}
