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
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one[same] === other[same]) same += 1;
  return halves(one, same) || halves(other, same) ? same - 1 : same;
}

/** Whether a cut there would go through a character of two. */
function halves(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
