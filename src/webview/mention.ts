/** A `#` in a text with what was typed behind it. */
export interface Mention {
  /** The place of the `#`. */
  readonly start: number;
  readonly end: number;
  readonly typed: string;
}

/** The text box, as far as a mention needs it. */
interface TextBox {
  readonly value: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

/** The mention that the caret stands in: a `#` at the start of a word. A heading's `# ` is none. */
export function findMention({ value, selectionStart, selectionEnd }: TextBox): Mention | undefined {
  if (selectionStart !== selectionEnd) return undefined;
  const match = /(?:^|\s)#([^\s#]*)$/.exec(value.slice(0, selectionStart));
  if (match === null) return undefined;
  const typed = match[1] ?? "";
  return { start: selectionStart - typed.length - 1, end: selectionStart, typed };
}
