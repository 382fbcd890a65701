import { wholeEnd, wholeStart } from "./wholeCharacters.ts";

/** The end that is kept: of a file the start, of a terminal's output the end. */
export type KeptEnd = "start" | "end";

/**
 * At most so many characters of a text, whole lines where that leaves at least half of them, and a line
 * that says how many characters are missing.
 */
export function trimText(text: string, characters: number, kept: KeptEnd): string {
  if (text.length <= characters) return text;
  const part = kept === "start" ? startOf(text, characters) : endOf(text, characters);
  const note = `[${text.length - part.length} characters left out]`;
  return kept === "start" ? `${part.trimEnd()}\n${note}\n` : `${note}\n${part.trimStart()}`;
}

function startOf(text: string, characters: number): string {
  const part = wholeStart(text, characters);
  const lineEnd = part.lastIndexOf("\n") + 1;
  return lineEnd >= characters / 2 ? part.slice(0, lineEnd) : part;
}

function endOf(text: string, characters: number): string {
  const part = wholeEnd(text, characters);
  const lineStart = part.indexOf("\n") + 1;
  return lineStart > 0 && lineStart <= characters / 2 ? part.slice(lineStart) : part;
}
