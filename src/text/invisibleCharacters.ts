/**
 * Matches characters that are invisible or change how other characters look: direction controls, zero-width and tag
 * characters, variation selectors, control characters, special spaces. Excludes the ideographic space, which looks as
 * wide as it is.
 */
const invisible = /(?![\t\n\r \u3000])[\p{DI}\p{Cc}\p{Zl}\p{Zp}\p{Zs}\ufff9-\ufffb]/u;
/** Matches an emoji with its invisible characters, or else a run of the same invisible character. */
const emojiOrRun = new RegExp(
  `\\p{Emoji}\\ufe0f?\\u20e3|${emojiSequence()}|(?<run>(?<one>${invisible.source})\\k<one>*)`,
  "gu",
);

const partOfEmoji = "[\\p{Emoji}\\p{Extended_Pictographic}\\p{DI}\\u20e3\\ud800-\\udbff]";
/** Matches the end of a text that could become part of an emoji when more text arrives. */
const openEnd = new RegExp(`(?<!${partOfEmoji})${partOfEmoji}+$`, "u");
const maxOpenEndLength = 1024;

function emojiSequence(): string {
  const one = "\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?";
  return `${one}(?:\\u200d${one})*`;
}

export type VisiblePart =
  | { readonly type: "text"; readonly text: string }
  /** `text` is one invisible character, repeated `count` times. */
  | { readonly type: "invisible"; readonly text: string; readonly name: string; readonly count: number };

/** Splits a text at its invisible characters. The joined parts equal the text. */
export function splitAtInvisible(text: string): VisiblePart[] {
  if (!invisible.test(text)) return text === "" ? [] : [{ type: "text", text }];
  const parts: VisiblePart[] = [];
  let start = 0;
  for (const { index, groups } of text.matchAll(emojiOrRun)) {
    const run = groups?.["run"];
    const one = groups?.["one"];
    if (run === undefined || one === undefined) continue;
    if (index > start) parts.push({ type: "text", text: text.slice(start, index) });
    parts.push({ type: "invisible", text: run, name: nameOf(one), count: run.length / one.length });
    start = index + run.length;
  }
  if (start < text.length) parts.push({ type: "text", text: text.slice(start) });
  return parts;
}

/**
 * Returns the length of the end of a text that `splitAtInvisible` could split differently when more text arrives. At
 * most 1,024 UTF-16 code units.
 */
export function openEndOf(text: string): number {
  return openEnd.exec(text.slice(-maxOpenEndLength))?.[0].length ?? 0;
}

/** Replaces runs of an invisible character by a mark such as `[U+202E]`. */
export function showInvisible(text: string): string {
  return splitAtInvisible(text)
    .map((part) => (part.type === "text" ? part.text : `[${markOf(part)}]`))
    .join("");
}

/** Returns `U+202E` for one character, `U+200B ×3` for three in a row. */
export function markOf({ name, count }: { readonly name: string; readonly count: number }): string {
  return count === 1 ? name : `${name} ×${count}`;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
