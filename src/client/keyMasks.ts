/** A place of a text where a part of something was left out, so that what stands beside it may be a piece of a key. */
export interface Mask {
  readonly start: number;
  readonly end: number;
  /** Where a piece before it would end. Absent where none can stand before it. */
  readonly before?: Side;
  /** Where a piece behind it would start. */
  readonly behind: Side;
}

interface Side {
  readonly at: number;
  /** Whether blanks or quotes stand between the mask and the piece. */
  readonly isApart: boolean;
}

const words =
  "redact|hidden|mask|trunc|remov|omit|snip|cut|secret|censor|obfusc|elid|strip|private|char|byte|digit|more|\\d{1,3}";

/** One sign of a mask: stars, dots, bullets and the like, as they are or escaped, and words in brackets. */
const sign = [
  String.raw`(?:\\{0,4}\*|%2a|&ast;|&#42;|\\u002a){2,}`,
  String.raw`(?:\.|%2e){2,}`,
  String.raw`…|\\{1,4}u2026|%e2%80%a6|&(?:hellip|mldr|#8230|#x2026);`,
  String.raw`[•‣∙·⋅●○◦⬤■□▪▫█▓▒░◼◾＊∗⁎✱✲\ufffd]|\\{1,4}u2022|%e2%80%a2|&(?:bull|#8226|#x2022);`,
  String.raw`[x×]{3,}|#{3,}|_{3,}|-{3,}|~{3,}|\?{3,}|\+{3,}|={3,}`,
  String.raw`(?:\[|\(|<|\{|&lt;|%5b|%3c)\s?[.…*•x_\s-]{1,40}(?:\]|\)|>|\}|&gt;|%5d|%3e)`,
  String.raw`(?:\[|\(|<|\{|&lt;|%5b|%3c)[^\[\](){}<>]{0,40}?(?:${words})[^\[\](){}<>]{0,40}?(?:\]|\)|>|\}|&gt;|%5d|%3e)`,
  "redacted|masked|truncated|hidden",
].join("|");

const mask = new RegExp(
  `(["'\\x60]?[ \\t]{0,2})((?:${sign})(?:[ \\t]{0,2}(?:${sign}))*)([ \\t]{0,2}["'\\x60]?)`,
  "gi",
);

const count = "(?:\\d{1,2}|three|four|five|six|seven|eight|ten|few)";
const signs = "(?:chars?|characters|digits|letters|symbols)";

/** Words that a piece follows: "ending in", "starts with", `key_suffix`, "last 8", `"last": "`. */
const announcement = new RegExp(
  `(?:${[
    String.raw`(?:end(?:s|ed|ing)?|start(?:s|ed|ing)?|beg[iau]n(?:s|ning)?)[ _-]{1,2}(?:in|with|on|by|at)`,
    String.raw`(?:pre|suf|post)fix`,
    String.raw`(?:key|token)[ _-](?:head|tail|hint|end|start)`,
    String.raw`(?:\b|_)(?:first|last|final|leading|trailing)[ _-]?(?:${count}(?:[ _-]?${signs})?|${signs}|(?=["']?\s?[:=]))`,
  ].join("|")})(?:[\\s:=("'\\x60[<\\\\]|is\\b|are\\b|&quot;){1,12}`,
  "gi",
);

/** Ascending by their starts, signs first; takes time linear in the text. */
export function findMasks(text: string): readonly Mask[] {
  const masks = [...text.matchAll(mask)].map(({ index, 1: before = "", 2: core = "", 3: behind = "" }) => {
    const start = index + before.length;
    const end = start + core.length;
    return {
      start,
      end,
      before: { at: index, isApart: before !== "" },
      behind: { at: end + behind.length, isApart: behind !== "" },
    };
  });
  const announced = [...text.matchAll(announcement)].map(({ index, 0: { length } }) => {
    const at = index + length;
    return { start: at, end: at, behind: { at, isApart: false } };
  });
  return [...masks, ...announced];
}
