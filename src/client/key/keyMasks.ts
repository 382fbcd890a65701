/** A place of a text where a part of something was left out, so that what stands beside it may be a piece of a key. */
export interface Mask {
  readonly start: number;
  readonly end: number;
  /** Where a piece before it would end. Absent where none can stand before it. */
  readonly before?: Side;
  /** Where a piece behind it would start. */
  readonly behind: Side;
}

interface WholeMask extends Mask {
  readonly before: Side;
}

interface Side {
  readonly at: number;
  /** Whether blanks or quotes stand between the mask and the piece. */
  readonly isApart: boolean;
}

const words =
  "redact|hidden|mask|trunc|remov|omit|snip|cut|secret|censor|obfusc|elid|strip|private|char|byte|digit|more";

/** One sign of a mask: stars, dots, bullets and the like, as they are or escaped. */
const bareSign = [
  String.raw`(?:\\{0,4}\*|%2a|&ast;|&#42;|\\u002a)+`,
  String.raw`(?:\.|%2e){2,}`,
  String.raw`[…‥⋯]|\\{1,4}u2026|%e2%80%a6|&(?:hellip|mldr|#8230|#x2026);`,
  String.raw`[•‣∙∘·⋅・･●○◦⬤■□▪▫█▓▒░◼◾＊∗⁎✱✲\ufffd]|🔒|🔑|\\{1,4}u2022|%e2%80%a2|&(?:bull|#8226|#x2022);`,
  String.raw`[x×]{3,}|#{2,}|_{2,}|-{2,}|~{2,}|\?{2,}|\+{2,}|={2,}`,
  "redacted|masked|truncated|hidden",
].join("|");

/** The same, and signs, counts and words in brackets. */
const sign = [
  bareSign,
  String.raw`(?:\[|\(|<|\{|&lt;|%5b|%3c)\s?(?:[.…*•x_\s-]{1,40}|\+?\d{1,3}\s?)(?:\]|\)|>|\}|&gt;|%5d|%3e)`,
  String.raw`(?:\[|\(|<|\{|&lt;|%5b|%3c)[^\[\](){}<>]{0,40}?(?:${words})[^\[\](){}<>]{0,40}?(?:\]|\)|>|\}|&gt;|%5d|%3e)`,
].join("|");

/** In brackets there may be a mask, with pieces, so both are looked for: `{"error":"bad key ab12...yz89"}`. */
const masks = [bareSign, sign].map(
  (each) =>
    new RegExp(
      `(["'\\x60]?[ \\t]{0,2})((?:${each})(?:[ \\t]{0,2}(?:${each}))*)([ \\t]{0,2}["'\\x60]?)`,
      "gi",
    ),
);

const count = "(?:\\d{1,2}|three|four|five|six|seven|eight|ten|few)";
const signs = "(?:chars?|characters|digits|letters|symbols)";

/** Words that a piece follows: "ending in", "starts with", `key_suffix`, "last 8", `"last": "`. */
const announcement = new RegExp(
  `(?:${[
    String.raw`(?:end(?:s|ed|ing)?|start(?:s|ed|ing)?|beg[iau]n(?:s|ning)?)[ _-]{1,2}(?:in|with|on|by|at)`,
    String.raw`(?<![a-z])(?:end(?:s|ing)?|start(?:s|ing)?|tail)`,
    String.raw`(?:pre|suf|post)fix`,
    String.raw`(?:key|token)[ _-](?:head|tail|hint|end|start)`,
    String.raw`\b(?:endet|endend|beginnt|beginnend) (?:auf|mit)|\beindig(?:t|end) (?:op|met)`,
    String.raw`\btermina?(?:e|nt|nte|da|do)? (?:par|en|em|con|com|in)|\bcomm?en[cç]ant par`,
    String.raw`(?:оканчива|заканчива|начина)[а-я]{2,8} (?:на|с)`,
    String.raw`(?:\b|_)(?:first|last|final|leading|trailing)[ _-]?(?:${count}(?:[ _-]?${signs})?|${signs}|(?=["']?\s?[:=]))`,
  ].join(
    "|",
  )})(?: of (?:your|the|this) (?:api )?(?:key|token))?(?:[\\s:=("'\\x60[<\\\\]|is\\b|are\\b|&quot;){1,12}` +
    // Scripts that put no spaces between words.
    "|(?:尾号|尾數|末尾|先頭|开头|開頭|结尾|結尾|后缀|後綴|前缀|前綴|[前后後末][四六八\\d][位个個]|以)[\\s为為是がはの：:「『“\"'(（]{0,4}",
  "gi",
);

/** Takes time linear in the text. */
export function findMasks(text: string): readonly Mask[] {
  const found = masks.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 1: before = "", 2: core = "", 3: behind = "" }): WholeMask => {
      const start = index + before.length;
      const end = start + core.length;
      return {
        start,
        end,
        before: { at: index, isApart: before !== "" },
        behind: { at: end + behind.length, isApart: behind !== "" },
      };
    }),
  );
  const announced = [...text.matchAll(announcement)].map(({ index, 0: { length } }): Mask => {
    const at = index + length;
    return { start: at, end: at, behind: { at, isApart: false } };
  });
  return [...found, ...found.flatMap((mask) => besideJoint(text, mask)), ...announced];
}

/** What may join a mask to a piece, as in `sk-***-ab12cd`, and may as well be the piece's own. */
const joint = /[-_:=./#]/;

/** A mask whose joints are its own; none if it has no joints. */
function besideJoint(text: string, mask: WholeMask): readonly Mask[] {
  const isBefore = joint.test(text.charAt(mask.before.at - 1));
  const isBehind = joint.test(text.charAt(mask.behind.at));
  if (!isBefore && !isBehind) return [];
  return [
    {
      ...mask,
      before: isBefore ? { at: mask.before.at - 1, isApart: true } : mask.before,
      behind: isBehind ? { at: mask.behind.at + 1, isApart: true } : mask.behind,
    },
  ];
}
