/** A formula in Markdown. */
export interface Formula {
  /** The formula with its marks, such as `$x$`. */
  readonly source: string;
  /** Whether the formula stands on lines of its own. */
  readonly display: boolean;
}

/** Maximum length of a formula with its marks, in UTF-16 units. Longer text is no formula. */
const maxFormulaLength = 4000;

/** Lists a mark that opens a formula, and the mark that closes it. */
const closings = { $$: "$$", "\\[": "\\]", "\\(": "\\)", $: "$" } as const;
type Opening = keyof typeof closings;
const openings: readonly Opening[] = ["$$", "\\[", "\\(", "$"];

/** Whether the text has a mark of a formula. Only then is it worth reading further. */
export const mayHoldFormula = (text: string): boolean => /\$|\\[([]/.test(text);

/**
 * Reads the formula at the start of a text. Returns undefined if none begins there, and `unfinished` if only its end is
 * missing.
 *
 * @param before the character before the text; empty at the start of a paragraph
 */
export function readFormula(text: string, before: string): Formula | "unfinished" | undefined {
  const opening = openings.find((mark) => text.startsWith(mark));
  if (opening === undefined || /[\w\\]/.test(before) || (opening.startsWith("$") && before === "$"))
    return undefined;
  const end = findClosing(text, opening);
  if (end === undefined) return undefined;
  if (end === "missing") return opening === "$" ? undefined : "unfinished";
  const source = text.slice(0, end);
  const tex = texOf(source);
  const after = text.slice(end);
  const isAlone = /^\n?$/.test(before) && /^[.,;:]?[ \t]*(?:\n|$)/.test(after);
  if (tex.trim() === "" || !isCertain(opening, tex, { after: after.slice(0, 1), isAlone })) return undefined;
  return { source, display: opening === "$$" || opening === "\\[" };
}

/** Returns the position after the closing mark. Stops at a mark that cannot stand in the formula. */
function findClosing(text: string, opening: Opening): number | "missing" | undefined {
  const closing = closings[opening];
  const end = Math.min(text.length, maxFormulaLength);
  for (let at = opening.length; at < end; at += 1) {
    if (text.startsWith(closing, at)) return at + closing.length;
    if (text[at] === "`" || (opening !== "$" && opening !== "$$" && /^\\[[(]/.test(text.slice(at, at + 2))))
      return undefined;
    if (text[at] === "\\") at += 1;
  }
  return end === text.length ? "missing" : undefined;
}

interface Around {
  /** The character after the formula. */
  readonly after: string;
  /** Whether the formula has a line for itself. */
  readonly isAlone: boolean;
}

function isCertain(opening: Opening, tex: string, { after, isAlone }: Around): boolean {
  switch (opening) {
    case "\\(":
      return !isSentence(tex) && !isChoice(tex);
    case "\\[":
      return after !== "(" && !isSentence(tex) && !isName(tex) && (isAlone || !isShort(tex));
    case "$$":
      return (
        !isVariableStart(after) &&
        !tex.startsWith("$") &&
        !isSentence(tex) &&
        (isAlone || !isBetweenMarks(tex))
      );
    case "$":
      return (
        !/^\s|\s$/.test(tex) &&
        !isVariableStart(after) &&
        !isName(tex) &&
        !isSentence(tex) &&
        !isAmounts(tex) &&
        !isPattern(tex)
      );
  }
}

/** Whether a dollar sign before the text begins the name of a variable or another amount. */
const isVariableStart = (after: string): boolean => /^[\w$({[]/.test(after);

/** Whether the text stands between two marks that are no formula's: `$$ to $$` or `$$, again $$`. */
const isBetweenMarks = (tex: string): boolean =>
  /^[\s,;.]/.test(tex) && /\s$/.test(tex) && !/[\\^]/.test(tex);

/** Whether the text is between two amounts: `$5 to 7$`, `$5, b 3$`, `$5) (or 6$`, `$1,$`, `$5–$`. */
const isAmounts = (tex: string): boolean =>
  /^\d[^\\]*\s[a-z]{2,}(?![a-z])|^\d[\d.,]*(?:[,;]\s+[a-z]+\s+\d[\d.,]*$|\))|^\w+,$|–$/i.test(tex);

/** Whether the text is a part of a regular expression or a command: `$|^$`, `(a)$|(b)$` or `s/^$/x$/`. */
const isPattern = (tex: string): boolean => /^\/|^\|(?:\^|[^|\\]*$)/.test(tex);

/** Whether the text is a choice in a regular expression: `\(one\|two\)`. */
const isChoice = (tex: string): boolean => /\w\w/.test(tex) && /^\w+(?:\\\|\w+)+$/.test(tex);

/** Whether the text may be the number of a note, or the mark of a task: `\[1\]` or `\[x\]`. */
const isShort = (tex: string): boolean => /^\s*[A-Za-z\d]{1,3}\s*$/.test(tex);

/** Whether the text is one word, such as the name of a variable in a shell. */
const isName = (tex: string): boolean => /^\s*(?:_\w+|[A-Za-z]{2}\w+)\s*$/.test(tex);

/** Whether words follow each other outside of commands such as `\text`. */
function isSentence(tex: string): boolean {
  const bare = tex.replaceAll(/\\[A-Za-z]+\*?(?:\s*\{[^{}]*\})?/g, "\\");
  return /(?<![A-Za-z])(?:[A-Za-z]{2,}[,;:]?(?:\s+a)?\s+[A-Za-z]{3,}|[A-Za-z]{3,}[,;:]?(?:\s+a)?\s+[A-Za-z]{2,})(?![A-Za-z])/.test(
    bare,
  );
}

/** Finds the formulas in running text, from left to right. */
export function findFormulas(text: string): readonly (Formula & { readonly index: number })[] {
  const found: (Formula & { readonly index: number })[] = [];
  const mark = /\\.|\$/gs;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const { index } = match;
    const formula = readFormula(
      text.slice(index, index + maxFormulaLength + 1),
      text.slice(index - 1, index),
    );
    if (typeof formula !== "object") continue;
    found.push({ ...formula, index });
    mark.lastIndex = index + formula.source.length;
  }
  return found;
}

/** A formula of several lines that has begun: its lines so far. */
export interface OpenFormula {
  readonly opening: "$$" | "\\[";
  readonly lines: string[];
  readonly length: number;
}

const blockOpening = /^ {0,3}(\$\$|\\\[)(.*)$/;

/** Whether a line may open a formula of several lines, perhaps after marks of lists and quotes. */
export const mayOpenFormula = (line: string): boolean => /(?:^|[ \t>])(?:\$\$|\\\[)/.test(line);

/** Returns the formula that begins on a line and continues on the next lines; otherwise undefined. */
export function openFormula(line: string): OpenFormula | undefined {
  const [, mark, rest = ""] = blockOpening.exec(line) ?? [];
  if ((mark !== "$$" && mark !== "\\[") || rest.includes("`") || findMark(rest) !== undefined)
    return undefined;
  return { opening: mark, lines: [line], length: line.length };
}

/**
 * Adds a line to a formula. Returns `failed` if the lines so far are no formula: an empty line, code or another formula
 * follows, or the formula is too long.
 */
export function continueFormula(formula: OpenFormula, line: string): OpenFormula | "failed" | "ended" {
  const { opening, lines } = formula;
  const length = formula.length + 1 + line.length;
  if (length > maxFormulaLength || /^[ \t]*$|`|^ {0,3}~~~/.test(line)) return "failed";
  const mark = findMark(line);
  lines.push(line);
  if (mark === undefined) return { ...formula, length };
  if (line.slice(mark.index).trim() !== closings[opening]) return "failed";
  const tex = texOf(lines.join("\n"));
  // A mark on a line of its own is certain.
  const isAlone = lines[0]?.trim() === opening;
  return tex.trim() !== "" && (isAlone || !isSentence(tex)) ? "ended" : "failed";
}

/** Finds the first mark of a formula on its own lines. Skips line breaks such as `\\[2pt]`. */
function findMark(line: string): { readonly index: number } | undefined {
  for (const match of line.matchAll(/\\.|\$\$/gs)) {
    if (/^(?:\$\$|\\[[\]])$/.test(match[0])) return match;
  }
  return undefined;
}

/** Returns the TeX of a formula without its marks. */
export function texOf(formula: string): string {
  const source = formula.trim();
  const { length } = openings.find((mark) => source.startsWith(mark)) ?? "";
  return source.slice(length, source.length - length);
}

/** Returns the lines of a formula at the start of a text; undefined if none begins there. */
export function readFormulaBlock(text: string): string | undefined {
  let end = text.indexOf("\n");
  let formula = end < 0 ? undefined : openFormula(text.slice(0, end));
  while (formula !== undefined && end < text.length) {
    const next = text.indexOf("\n", end + 1);
    const lineEnd = next < 0 ? text.length : next;
    const state = continueFormula(formula, text.slice(end + 1, lineEnd));
    end = lineEnd;
    if (state === "ended") return text.slice(0, end);
    formula = state === "failed" ? undefined : state;
  }
  return undefined;
}

/** Returns the position of the first line after a line break where a formula of several lines begins; otherwise -1. */
export function findFormulaBlock(text: string): number {
  for (const { index } of text.matchAll(/\n {0,3}(?:\$\$|\\\[)/g)) {
    if (readFormulaBlock(text.slice(index + 1)) !== undefined) return index + 1;
  }
  return -1;
}
