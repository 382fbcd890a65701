/** What becomes of a file besides its lines. */
const factLine =
  /^(?:(?:old|new|deleted file|new file) mode|mode|(?:rename|copy) (?:from|to)|(?:dis)?similarity index|index) /;
/** Where there is one of these, lines have changed only if there is an `index` as well. */
const moveLine = /^(?:(?:old|new) mode|(?:rename|copy) (?:from|to)) /;
const binaryLine = /^Binary files .*differ$/;
/** Its path, perhaps with blanks in it, and what of it has changed. */
const submodule = /^Submodule .+ /;
const submoduleLine = /^ {2}[<>] /;
/** `@@ -1,2 +1,3 @@`, of a merge `@@@ -1,2 -1,3 +1,4 @@@`. */
const hunkLine = /^(@{2,})((?: -\d+(?:,\d+)?)+) \+\d+(?:,(\d+))? \1(?: |$)/;

/** How much of a text that begins like a file's part of a git diff is git's own: the head and as many lines as that says. */
export function diffTextEnd(text: string): number {
  const lines = text.split(/(?<=\n)/);
  const bare = lines.map((line) => line.replace(/\r?\n$/, ""));
  const head = headEnd(bare);
  let count = head.end;
  if (head.hasLines)
    for (let end = hunkEnd(bare, count); end > count; end = hunkEnd(bare, count)) count = end;
  return lines.slice(0, count).reduce((length, line) => length + line.length, 0);
}

interface Head {
  /** How many lines speak of the file as a whole; none where this is no diff of git's. */
  readonly end: number;
  /** Whether the file's changed lines follow. */
  readonly hasLines: boolean;
}

function headEnd(lines: readonly string[]): Head {
  const [first = ""] = lines;
  if (first.startsWith("* Unmerged path ")) return { end: 1, hasLines: false };
  if (submodule.test(first)) return { end: endOf(lines, 1, submoduleLine), hasLines: false };
  if (!/^diff --(?:git|cc|combined) /.test(first)) return { end: 0, hasLines: false };
  const end = endOf(lines, 1, factLine);
  if (binaryLine.test(lines[end] ?? "")) return { end: end + 1, hasLines: false };
  const facts = lines.slice(1, end);
  const hasLines =
    !facts.some((line) => moveLine.test(line)) || facts.some((line) => line.startsWith("index "));
  const names = ["--- ", "+++ "].filter((mark) =>
    lines.slice(end, end + 2).some((line) => line.startsWith(mark)),
  );
  return hasLines && names.length > 0 ? { end: end + names.length, hasLines } : { end, hasLines: false };
}

/** Behind lines that are all like this. */
function endOf(lines: readonly string[], from: number, like: RegExp): number {
  const end = lines.findIndex((line, at) => at >= from && !like.test(line));
  return end < 0 ? lines.length : end;
}

/** Behind the hunk that begins here; the same place where none does. */
function hunkEnd(lines: readonly string[], from: number): number {
  const [head, marks = "", before = "", after = "1"] = hunkLine.exec(lines[from] ?? "") ?? [];
  if (head === undefined) return from;
  const left = new LinesLeft(
    before
      .trim()
      .split(" ")
      .map((range) => Number(range.split(",")[1] ?? 1)),
    Number(after),
  );
  let end = from + 1;
  while (end < lines.length && left.take(lines[end] ?? "", marks.length - 1)) end += 1;
  return end;
}

/** What a hunk still has to say, of each state before and of the one after. */
class LinesLeft {
  readonly #before: number[];
  #after: number;

  constructor(before: number[], after: number) {
    this.#before = before;
    this.#after = after;
  }

  /** False for a line that is none of the hunk's. */
  take(line: string, columns: number): boolean {
    if (line.startsWith("\\ ")) return true;
    if (this.#after <= 0 && this.#before.every((count) => count <= 0)) return false;
    // An empty line may stand without its blanks.
    const marks = line.slice(0, columns).padEnd(columns);
    if (!/^[ +-]+$/.test(marks) || (line.length < columns && line !== "")) return false;
    const isGone = marks.includes("-");
    for (const [column, mark] of marks.split("").entries()) {
      if (mark === (isGone ? "-" : " ")) this.#before[column] = (this.#before[column] ?? 0) - 1;
    }
    if (!isGone) this.#after -= 1;
    return true;
  }
}
