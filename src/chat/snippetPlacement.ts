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
  const codeLines = code.replace(/\n+$/, "").split("\n");
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

/** Undefined where one of the pieces is not found behind the ones ahead of it. */
function replaceSegments(fileLines: readonly string[], segments: readonly string[][]): string[] | undefined {
  const result: string[] = [];
  let from = 0;
  for (const segment of segments) {
    const lines = trimBlankEnds(segment);
    if (lines.length === 0) continue;
    const range = findLines(fileLines, lines, from);
    if (range === undefined) return undefined;
    const shift = indentOf(fileLines[range.start]) - indentOf(lines[0]);
    result.push(...fileLines.slice(from, range.start), ...reindent(lines, shift, fileLines[range.start]));
    from = range.end;
  }
  return [...result, ...fileLines.slice(from)];
}

/** The lines that a piece stands for: between its first and last line, the best fitting of all places. */
function findLines(
  fileLines: readonly string[],
  piece: readonly string[],
  from: number,
): LineRange | undefined {
  const first = piece[0]?.trim();
  const known = new Set(piece.filter(isCode).map((line) => line.trim()));
  let best: LineRange | undefined;
  let bestScore = 0;
  for (let start = from; start < fileLines.length; start += 1) {
    if (fileLines[start]?.trim() !== first) continue;
    const found = findEnd(fileLines, piece, start, known);
    if (found.score > bestScore) {
      best = { start, end: found.end };
      bestScore = found.score;
    }
  }
  return best;
}

/** Lines that both have count for a place, lines that would be lost against it. */
function findEnd(
  fileLines: readonly string[],
  piece: readonly string[],
  start: number,
  known: ReadonlySet<string>,
): { readonly end: number; readonly score: number } {
  const last = piece.at(-1) ?? "";
  const shift = indentOf(fileLines[start]) - indentOf(piece[0]);
  let score = 0;
  let best = { end: endOfBlock(fileLines, start), score: 0.5 };
  for (let line = start; line < fileLines.length; line += 1) {
    const text = fileLines[line] ?? "";
    if (hasWord(text)) score += known.has(text.trim()) ? 1 : -1;
    const isLast = text.trim() === last.trim() && indentOf(text) - indentOf(last) === shift;
    if (isLast && score > best.score) best = { end: line + 1, score };
  }
  return best;
}

/** Behind the lines that are indented further than the first, and what closes them. */
function endOfBlock(fileLines: readonly string[], start: number): number {
  const indent = indentOf(fileLines[start]);
  let end = start + 1;
  for (let line = start + 1; line < fileLines.length; line += 1) {
    const text = fileLines[line] ?? "";
    if (!isCode(text)) continue;
    if (indentOf(text) <= indent) return /^\s*[)\]}]/.test(text) ? line + 1 : end;
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
