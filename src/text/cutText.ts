/** Cuts of a text that halve no character. Lengths count as `slice` counts; some characters take two. */

/** At most so much of a text's start. */
export function wholeStart(text: string, length: number): string {
  return text.slice(0, halves(text, length) ? length - 1 : length);
}

/** At most so much of a text's end. */
export function wholeEnd(text: string, length: number): string {
  const start = Math.max(0, text.length - length);
  return text.slice(halves(text, start) ? start + 1 : start);
}

/** How much two texts begin with in common, in characters that neither is cut within. */
export function commonStart(one: string, other: string): number {
  const shorterLength = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorterLength && one[same] === other[same]) same += 1;
  return halves(one, same) || halves(other, same) ? same - 1 : same;
}

/** Whether a cut there would go through a character of two. */
function halves(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** The end that is kept: of a file the start, of a terminal's output the end. */
export type KeptSide = "start" | "end";

/**
 * At most so many characters of a text, whole lines where that leaves at least half of them, and a line
 * that says how many characters are missing.
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
