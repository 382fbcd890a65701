/** Lines of a file, from 0; `end` is behind the last. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface Placement {
  /** `file`: the block is the whole file; `lines`: it stands for some of it; `cursor`: it is new. */
  readonly kind: "file" | "lines" | "cursor";
  /** The file's new text, with `\n`. */
  readonly text: string;
}

/**
 * `// ... existing code ...` and its like: what the file has there stays. Without a comment's mark three
 * dots may be code, unless they stand alone at the line's beginning.
 */
const elision = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)\s*(?:\.\.\.|…).{0,80}$|^(?:\.\.\.|…)\s*$/;
/** The same file, changed: so much of it stands in the block. */
const sameFile = 0.5;
const surelySameFile = 0.8;

/**
 * Where a block of code belongs in a file's text. It is the whole file where it begins and ends like it
 * and has half of its lines, or has most of them. Else its first and last line are looked for, and what
 * the file has from the one to the other gives way. What is not found comes in behind `cursor`, a line
 * from 0.
 */
export function placeSnippet(file: string, code: string, cursor: number): Placement {
  const fileLines = file.split("\n");
  const codeLines = code.replace(/(?<!\n)\n+$/, "").split("\n");
  const segments = splitAtElisions(codeLines);
  if (file.trim() === "" || (segments.length < 2 && isWholeFile(fileLines, codeLines))) {
    return { kind: "file", text: endLikeFile(codeLines.join("\n"), file) };
  }
  const replaced = replaceSegments(fileLines, segments);
  if (replaced !== undefined) return { kind: "lines", text: replaced.join("\n") };
  const at = Math.min(cursor + 1, fileLines.at(-1) === "" ? fileLines.length - 1 : fileLines.length);
  const fresh = segments.length < 2 ? codeLines : segments.flat();
  return { kind: "cursor", text: [...fileLines.slice(0, at), ...fresh, ...fileLines.slice(at)].join("\n") };
}

function splitAtElisions(lines: readonly string[]): string[][] {
  const segments: string[][] = [[]];
  for (const line of lines) {
    if (elision.test(line)) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  const whole = segments.filter((segment) => segment.some(isCode));
  // A block that begins or ends with an elision has two pieces as well, one of them empty.
  return segments.length > 1 && whole.length === 1 ? [...whole, []] : whole;
}

function isWholeFile(fileLines: readonly string[], codeLines: readonly string[]): boolean {
  const inCode = new Set(codeLines.map((line) => line.trim()));
  const ofFile = fileLines.filter(hasWord).map((line) => line.trim());
  const kept = ofFile.filter((line) => inCode.has(line)).length / ofFile.length;
  const beginsAlike = ofFile[0] === codeLines.find(hasWord)?.trim();
  const endsAlike = inCode.has(ofFile.at(-1) ?? "");
  return kept >= surelySameFile || (kept >= sameFile && beginsAlike && endsAlike);
}

/** What is looked at in a line. */
interface LineLook {
  /** Without the blanks around it. */
  readonly code: string;
  readonly indent: number;
  readonly hasWord: boolean;
}

function lookAt(line: string): LineLook {
  return { code: line.trim(), indent: indentOf(line), hasWord: hasWord(line) };
}

/** Undefined where one of the pieces is not found behind the ones ahead of it. */
function replaceSegments(fileLines: readonly string[], segments: readonly string[][]): string[] | undefined {
  const result: (readonly string[])[] = [];
  const looks = fileLines.map(lookAt);
  let from = 0;
  for (const segment of segments) {
    const lines = trimBlankEnds(segment);
    if (lines.length === 0) continue;
    const range = findLines(looks, lines.map(lookAt), from);
    if (range === undefined) return undefined;
    const shift = indentOf(fileLines[range.start]) - indentOf(lines[0]);
    result.push(fileLines.slice(from, range.start), reindent(lines, shift, fileLines[range.start]));
    from = range.end;
  }
  return [...result, fileLines.slice(from)].flat();
}

/** Of a place whose last line is not found. */
const leastScore = 0.5;

/**
 * The lines that a piece stands for: between its first and last line, the best fitting of all places, the first of
 * equal ones. Looked for from the end on, so that every line is looked at once.
 */
function findLines(
  file: readonly LineLook[],
  piece: readonly LineLook[],
  from: number,
): LineRange | undefined {
  const [first, last] = [piece[0], piece.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const sums = sumsAhead(file, piece);
  /** The best ends of what begins further up, by their indents. */
  const ends = new Map<number, number>();
  let best: { readonly start: number; readonly end: number | undefined; readonly score: number } | undefined;
  for (let start = file.length - 1; start >= from; start -= 1) {
    const { code, indent } = file[start] ?? first;
    if (code === last.code && sumAt(sums, start + 1) >= sumAt(sums, ends.get(indent) ?? start + 1)) {
      ends.set(indent, start + 1);
    }
    if (code !== first.code) continue;
    const end = ends.get(indent + last.indent - first.indent);
    const score = end === undefined ? 0 : sumAt(sums, end) - sumAt(sums, start);
    const found = score > leastScore ? { start, end, score } : { start, end: undefined, score: leastScore };
    if (best === undefined || found.score >= best.score) best = found;
  }
  return best && { start: best.start, end: best.end ?? endOfBlock(file, best.start) };
}

/** Lines that both have count for a place, lines that would be lost against it: the sums ahead of each line. */
function sumsAhead(file: readonly LineLook[], piece: readonly LineLook[]): readonly number[] {
  const known = new Set(piece.map(({ code }) => code));
  const sums = [0];
  let sum = 0;
  for (const line of file) {
    if (line.hasWord) sum += known.has(line.code) ? 1 : -1;
    sums.push(sum);
  }
  return sums;
}

function sumAt(sums: readonly number[], line: number): number {
  return sums[line] ?? 0;
}

/** Behind the lines that are indented further than the first, and what closes them. */
function endOfBlock(file: readonly LineLook[], start: number): number {
  const least = file[start]?.indent ?? 0;
  let end = start + 1;
  for (let line = start + 1; line < file.length; line += 1) {
    const { code = "", indent = 0 } = file[line] ?? {};
    if (code === "") continue;
    if (indent <= least) return /^[)\]}]/.test(code) ? line + 1 : end;
    end = line + 1;
  }
  return end;
}

function reindent(lines: readonly string[], shift: number, like = ""): string[] {
  if (shift === 0) return [...lines];
  const unit = like.startsWith("\t") ? "\t" : " ";
  return lines.map((line) => {
    if (!isCode(line)) return line;
    return shift > 0 ? unit.repeat(shift) + line : line.slice(Math.min(-shift, indentOf(line)));
  });
}

function trimBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex(isCode);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isCode) + 1);
}

function endLikeFile(text: string, file: string): string {
  return file === "" || file.endsWith("\n") ? `${text}\n` : text;
}

const isCode = (line: string): boolean => line.trim() !== "";
/** Brackets alone are everywhere, and say nothing. */
const hasWord = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);
const indentOf = (line = ""): number => /^\s*/.exec(line)?.[0].length ?? 0;
