/**
 * Characters that are not seen, or that change how others are seen: controls of the direction of text,
 * zero-width and tag characters, variation selectors, control characters, spaces that are no space.
 * The ideographic space is as wide as it looks.
 */
const invisible = /(?![\t\n\r \u3000])[\p{DI}\p{Cc}\p{Zl}\p{Zp}\p{Zs}\ufff9-\ufffb]/u;
/** Runs of one such character; where it belongs to an emoji it comes with that, and is none. */
const emojiOrRun = new RegExp(
  `\\p{Emoji}\\ufe0f?\\u20e3|${emojiSequence()}|(?<run>(?<one>${invisible.source})\\k<one>*)`,
  "gu",
);

const partOfEmoji = "[\\p{Emoji}\\p{Extended_Pictographic}\\p{DI}\\u20e3\\ud800-\\udbff]";
/** Finds the end of a text that more text may turn into a part of an emoji. */
const openEnd = new RegExp(`(?<!${partOfEmoji})${partOfEmoji}+$`, "u");
const maxOpenEndLength = 1024;

function emojiSequence(): string {
  const one = "\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?";
  return `${one}(?:\\u200d${one})*`;
}

export type VisiblePart =
  | { readonly type: "text"; readonly text: string }
  /** `text` is one invisible character, or the same one `count` times. */
  | { readonly type: "invisible"; readonly text: string; readonly name: string; readonly count: number };

/** Cuts a text at its invisible characters; the parts joined are the text. */
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

/** The length of the end that more text may cut another way; of a longer row of emoji, its last 1,024 code units. */
export function openEndOf(text: string): number {
  return openEnd.exec(text.slice(-maxOpenEndLength))?.[0].length ?? 0;
}

/** The text with `[U+202E]` in the place of every invisible character. */
export function showInvisible(text: string): string {
  return splitAtInvisible(text)
    .map((part) => (part.type === "text" ? part.text : `[${markOf(part)}]`))
    .join("");
}

/** `U+202E`, or `U+200B ×3` for three in a row. */
export function markOf({ name, count }: { readonly name: string; readonly count: number }): string {
  return count === 1 ? name : `${name} ×${count}`;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
