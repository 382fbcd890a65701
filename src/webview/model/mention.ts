/** A `#` in a text, or a `/` at its beginning, with what was typed behind it. */
export interface Mention {
  /** `#` is for something to attach, `/` for a prompt. */
  readonly mark: "#" | "/";
  /** The place of the mark. */
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

/** The mention that the caret stands in: a `#` at the start of a word, a `/` at the start of all. A heading's `# ` is none. */
export function findMention({ value, selectionStart, selectionEnd }: TextBox): Mention | undefined {
  if (selectionStart !== selectionEnd) return undefined;
  const before = value.slice(0, selectionStart);
  const match = /(?:^|\s)(#)([^\s#]*)$/.exec(before) ?? /^(\/)([^\s/]*)$/.exec(before);
  if (match === null) return undefined;
  const typed = match[2] ?? "";
  const mark = match[1] === "/" ? "/" : "#";
  return { mark, start: selectionStart - typed.length - 1, end: selectionStart, typed };
}
