/** Truncates texts without splitting surrogate pairs. Lengths are in UTF-16 code units. */

/** Returns at most `length` code units from the start of the text. */
export function wholeStart(text: string, length: number): string {
  return text.slice(0, halves(text, length) ? length - 1 : length);
}

/** Returns at most `length` code units from the end of the text. */
export function wholeEnd(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(halves(text, start) ? start + 1 : start);
}

/** Returns the length of the common start of two texts, without splitting a surrogate pair. */
export function commonStart(one: string, other: string): number {
  const shorterLength = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorterLength && one[same] === other[same]) same += 1;
  return halves(one, same) || halves(other, same) ? same - 1 : same;
}

/** Whether a cut at this offset splits a surrogate pair. */
function halves(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** The side of a text to keep, such as the start of a file or the end of terminal output. */
export type KeptSide = "start" | "end";

/**
 * Truncates a text to `characters` code units and adds a line with the number of omitted code units. Cuts at a line
 * break if at least half of `characters` remains.
 */
export function trimText(text: string, characters: number, kept: KeptSide): string {
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
