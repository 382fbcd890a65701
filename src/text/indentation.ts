import { columnsOf, isCode, findStrings } from "./lineTree.ts";

/** How a text is indented: by tabs, or by so many spaces a step. */
type Unit = "tab" | number;

/** Indents lines of one text in the way of another. */
export class IndentStyle {
  readonly #from: Unit | undefined;
  readonly #to: Unit | undefined;
  /** For each line of `code` that begins in a text of several lines: the line where that begins. */
  readonly #stringStarts: readonly (number | undefined)[];
  readonly #code: readonly string[];
  /** Lines where texts begin that are not indented with the code around them. */
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

  /** One step more, in the file's way. */
  deeper(indent: string): string {
    const unit = this.#to ?? this.#from ?? 2;
    return indent + (unit === "tab" ? "\t" : " ".repeat(unit));
  }

  /** Lines of the code, whose own indent was `from`, where the file has `to`. */
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

/** Undefined where the text does not show it. */
function unitOf(lines: readonly string[]): Unit | undefined {
  let tabs = 0;
  let spaces = 0;
  const steps = new Map<number, number>();
  let before = 0;
  for (const line of lines) {
    // Lists of texts are indented by their marks, comments of several lines by one.
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
  // A text that begins further in has taken that step from the margin.
  const [best] = [...steps].sort(([one, often], [other, seldom]) => seldom - often || one - other);
  return best?.[0];
}

/**
 * Code as it goes in where a line begins with `ahead`: it loses the indent that all its lines share and
 * takes the line's own, but for its first line where that stands behind it already.
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

/** Lines of code with the indent that all of `like` share in the place of their own shared one. */
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
