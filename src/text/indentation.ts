import { columnsOf, isCode, findStrings } from "./lineTree.ts";

/** The indentation unit: a tab, or a number of spaces. */
type Unit = "tab" | number;

/** Converts the indentation of code to the style of a file. */
export class IndentStyle {
  readonly #from: Unit | undefined;
  readonly #to: Unit | undefined;
  /** For each line of `code` inside a multi-line string: the line where the string begins. */
  readonly #stringStarts: readonly (number | undefined)[];
  readonly #code: readonly string[];
  /** First lines of strings that are not indented with the code around them. */
  readonly #own = new Set<number>();

  constructor(code: readonly string[], file: readonly string[]) {
    this.#code = code;
    this.#stringStarts = findStrings(code);
    for (const [at, start] of this.#stringStarts.entries()) {
      const line = code[at] ?? "";
      if (start !== undefined && isCode(line) && !line.startsWith(indentOf(code[start] ?? "")))
        this.#own.add(start);
    }
    this.#from = unitOf(code.filter((_, at) => this.#stringStarts[at] === undefined));
    this.#to = unitOf(file);
  }

  /** Returns `indent` plus one unit in the style of the file. */
  deeper(indent: string): string {
    const unit = this.#to ?? this.#from ?? 2;
    return indent + (unit === "tab" ? "\t" : " ".repeat(unit));
  }

  /** Returns the lines from `start` to `end` (exclusive) with the base indent `from` replaced by `to`. */
  convert(start: number, end: number, from: string, to: string): readonly string[] {
    const lines: string[] = [];
    for (let at = start; at < end; at += 1) lines.push(this.#convertLine(at, from, to));
    return lines;
  }

  #convertLine(at: number, from: string, to: string): string {
    const line = this.#code[at] ?? "";
    if (!isCode(line)) return line.trim() === "" ? "" : line;
    const opening = this.#stringStarts[at];
    if (opening === undefined) return this.#convertIndent(indentOf(line), from, to) + line.trimStart();
    const indent = indentOf(this.#code[opening] ?? "");
    return !this.#own.has(opening) ? this.#convertIndent(indent, from, to) + line.slice(indent.length) : line;
  }

  #convertIndent(indent: string, from: string, to: string): string {
    const isSame = this.#from === undefined || this.#to === undefined || this.#from === this.#to;
    if (indent.startsWith(from) && (isSame || indent === from)) return to + indent.slice(from.length);
    const columns = columnsOf(indent) - columnsOf(from);
    if (columns < 0) return this.#lessIndented(to, -columns);
    const step = this.#from === "tab" ? 4 : (this.#from ?? 4);
    const steps = Math.floor(columns / step);
    const unit = this.#to ?? this.#from ?? 4;
    return to + (unit === "tab" ? "\t".repeat(steps) : " ".repeat(steps * unit)) + " ".repeat(columns % step);
  }

  #lessIndented(to: string, columns: number): string {
    if (to.includes("\t")) return to.slice(0, Math.max(0, to.length - Math.ceil(columns / 4)));
    return to.slice(0, Math.max(0, to.length - columns));
  }
}

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Returns undefined if the text does not show its unit. */
function unitOf(lines: readonly string[]): Unit | undefined {
  let tabs = 0;
  let spaces = 0;
  const steps = new Map<number, number>();
  // Starts at 0, so that the indent of the first line counts as a step.
  let before = 0;
  for (const line of lines) {
    // Skip list items, and comments of several lines: their indent follows the marker, not the unit.
    if (!isCode(line) || /^\s*(?:[-*+]|\d+[.)])(?:\s|$|\/)/.test(line)) continue;
    if (line.startsWith("\t")) tabs += 1;
    else if (line.startsWith(" ")) spaces += 1;
    const columns = columnsOf(line);
    const step = columns - before;
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = columns;
  }
  if (tabs === 0 && spaces === 0) return undefined;
  if (tabs > spaces) return "tab";
  const [best] = [...steps].sort(([one, often], [other, seldom]) => seldom - often || one - other);
  return best?.[0];
}

/**
 * Indents code for insertion on a line that begins with `ahead`. Replaces the shared indent of the code with the indent
 * of that line. The first line of the code gets no indent, because it follows `ahead`.
 */
export function indentCode(code: string, ahead: string): string {
  const lines = code.replace(/\n$/, "").split("\n");
  const shared = sharedIndent(lines);
  const indent = /^[ \t]*/.exec(ahead)?.[0] ?? "";
  return lines
    .map((line, index) => {
      const text = line.slice(Math.min(shared, line.length));
      return index === 0 || text === "" ? text : indent + text;
    })
    .join("\n");
}

/** Replaces the shared indent of `lines` with the shared indent of `like`. */
export function indentLike(lines: readonly string[], like: readonly string[]): readonly string[] {
  const indent = (like.find((line) => line.trim() !== "") ?? "").slice(0, sharedIndent(like));
  const shared = sharedIndent(lines);
  return lines.map((line) => (line.trim() === "" ? line : indent + line.slice(shared)));
}

function sharedIndent(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const [first = "", ...others] = indents;
  let length = first.length;
  for (const indent of others) {
    while (!indent.startsWith(first.slice(0, length))) length -= 1;
  }
  return length;
}
