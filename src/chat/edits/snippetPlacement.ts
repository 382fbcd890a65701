import { findMarkInLine, type MarkKind, readMark } from "../../text/elisionMarks.ts";
import { IndentStyle, indentOf, indentCode } from "../../text/indentation.ts";
import {
  buildTree,
  columnsOf,
  definitionOf,
  depthOf,
  hasWord,
  isCode,
  isNode,
  isStub,
  type LineNode,
  type LineTree,
  nodesOf,
  findRange,
} from "../../text/lineTree.ts";
import { insertionPoint, isInsertable } from "./newCodePlace.ts";
import { PieceSearch } from "./pieceSearch.ts";
import { PlacedPieces } from "./placedPieces.ts";

export interface Placement {
  /**
   * `file`: the block is the whole file. `lines`: the block replaces lines. `cursor`: the block is new. `unsure`: the
   * block leaves out code whose place is unclear.
   */
  readonly kind: "file" | "lines" | "cursor" | "unsure";
  /** The file's new text, with `\n`. Unchanged if unsure. */
  readonly text: string;
}

/**
 * Minimum share of the file's lines in a block that replaces the whole file. The second value applies if the first
 * lines differ.
 */
const sameFile = 0.5;
const surelySameFile = 0.8;
/** Maximum number of marks within lines. Each one needs a search in the file. */
const maxMarksInLines = 200;

/**
 * Finds the place of a code block in a file. The block is the whole file if it has 80 % of the file's lines and the
 * same end. If the start is the same too, 50 % is enough.
 *
 * Otherwise each function, rule and statement is searched by its line, then by its name. Code that the block leaves
 * out (`// ... existing code ...`) stays. New code is inserted after `cursor` (a line from 0), but a new function never
 * inside another function.
 */
export function placeSnippet(file: string, code: string, cursor: number): Placement {
  const fileLines = file.split("\n");
  const trimmed = code.replace(/^(?:[ \t]*\n)+/, "").replace(/(?<![\n \t])[\n \t]+$/, "");
  const { lines, marks, isSure } = readBlock(trimmed.split("\n"), fileLines);
  if (!isSure) return { kind: "unsure", text: file };
  if (lines.every((line, at) => !isCode(line) || marks.has(at))) {
    // If the block contains only marks, everything stays.
    return { kind: marks.size === 0 ? "cursor" : "lines", text: file };
  }
  if (file.trim() === "") {
    const isCopy = buildTree(lines, marks).root.some(
      (item) => !isNode(item) || (item.hasMarks && !isStub(item)),
    );
    return isCopy ? { kind: "unsure", text: file } : { kind: "file", text: endLikeFile(trimmed, file) };
  }
  const style = new IndentStyle(lines, fileLines);
  const block = buildTree(lines, marks);
  const tree = buildTree(fileLines, new Map());
  if (marks.size === 0 && isWholeFile(tree, block)) {
    return { kind: "file", text: endLikeFile(style.convert(0, lines.length, "", "").join("\n"), file) };
  }
  const pieces = new PlacedPieces(tree, block, style, new PieceSearch(tree, block, cursor));
  const placed = pieces.place();
  if (placed !== "not-found") {
    return placed === "unsure" ? { kind: "unsure", text: file } : { kind: "lines", text: placed.join("\n") };
  }
  if (marks.size === 0 && !block.isRegular) {
    const range = findRange(fileLines, lines, cursor);
    if (range !== undefined) {
      const fresh = style.convert(
        0,
        lines.length,
        indentOf(lines[0] ?? ""),
        indentOf(fileLines[range.start] ?? ""),
      );
      return {
        kind: "lines",
        text: [...fileLines.slice(0, range.start), ...fresh, ...fileLines.slice(range.end)].join("\n"),
      };
    }
  }
  if (isEntryOf(tree, block)) return { kind: "unsure", text: file };
  if (marks.size === 0) return insertNew(tree, block, style, cursor);
  return insertBesideMarks(tree, block, cursor) ?? { kind: "unsure", text: file };
}

/**
 * Whether the block is an entry of a JSON file such as `package.json`. The entry could belong in any object of the
 * file.
 */
function isEntryOf(tree: LineTree, block: LineTree): boolean {
  const [only, ...others] = nodesOf(tree.root);
  const isObject = others.length === 0 && only?.head.startsWith("{") === true;
  return isObject && nodesOf(block.root).some(({ head }) => /^"[^"]*"\s*:\s*[{[]/.test(head));
}

/**
 * Inserts a block that consists of new definitions or imports, and of marks for the rest of the file. Returns undefined
 * for any other block.
 */
function insertBesideMarks(tree: LineTree, block: LineTree, cursor: number): Placement | undefined {
  const nodes = nodesOf(block.root);
  const isNew = nodes.length > 0 && nodes.every((node) => !node.hasMarks && isInsertable(node, block));
  if (!isNew || !block.isRegular) return undefined;
  const [first, last] = [block.root[0], block.root.at(-1)];
  const isAtEnd = first?.kind === "mark" && last?.kind === "node";
  const lines = nodes.flatMap((node, at) => [
    ...(at > 0 ? [""] : []),
    ...block.lines.slice(node.lead, node.end),
  ]);
  const fresh = buildTree(lines, new Map());
  const style = new IndentStyle(lines, tree.lines);
  return insertNew(tree, fresh, style, isAtEnd ? Number.MAX_SAFE_INTEGER : cursor);
}

/** Whether a block leaves out code of a file. */
export function leavesOut(file: string, code: string): boolean {
  const { marks, isSure } = readBlock(code.split("\n"), file.split("\n"));
  return marks.size > 0 || !isSure;
}

/** Inserts a block without any match in the file. */
function insertNew(tree: LineTree, block: LineTree, style: IndentStyle, cursor: number): Placement {
  const { at, indent, isApart } = insertionPoint(tree, block, cursor);
  const { lines } = tree;
  const own = nodesOf(block.root)[0]?.lead ?? 0;
  const fresh = [...style.convert(0, block.lines.length, indentOf(block.lines[own] ?? ""), indent)];
  if (isApart && at > 0 && isCode(lines[at - 1] ?? "") && !/[{([:]\s*$/.test(lines[at - 1] ?? ""))
    fresh.unshift("");
  if (isApart && isCode(lines[at] ?? "") && !/^\s*[)\]}]/.test(lines[at] ?? "")) fresh.push("");
  return { kind: "cursor", text: [...lines.slice(0, at), ...fresh, ...lines.slice(at)].join("\n") };
}

interface BlockLines {
  readonly lines: readonly string[];
  readonly marks: ReadonlyMap<number, MarkKind>;
  /** False if the block leaves out code within a line, and no line of the file matches. */
  readonly isSure: boolean;
}

/** Returns the block with each mark on a separate line. */
function readBlock(code: readonly string[], fileLines: readonly string[]): BlockLines {
  const lines: string[] = [];
  const marks = new Map<number, MarkKind>();
  const known = new KnownLines(fileLines);
  let isSure = true;
  let left = maxMarksInLines;
  for (const [at, line] of code.entries()) {
    const mark = readMark(line);
    if (mark !== undefined && !known.has(code, at, mark) && (mark !== "weak-mark" || standsAlone(code, at))) {
      marks.set(lines.length, mark);
      lines.push(line);
      continue;
    }
    const inLine = mark === undefined && !known.hasLine(line) ? findMarkInLine(line) : undefined;
    if (inLine === undefined || left === 0) {
      isSure &&= inLine === undefined;
      lines.push(line);
      continue;
    }
    left -= 1;
    const { ahead, behind, isNote } = inLine;
    const whole = known.find(ahead.trim(), behind.trim());
    if (isNote && known.hasLine(ahead)) lines.push(ahead);
    else if (behind !== "" && whole !== undefined) lines.push(indentOf(line) + whole);
    else if (known.startsLine(ahead.trim())) {
      lines.push(ahead);
      marks.set(lines.length, inLine.isStub === true ? "dots" : "mark");
      lines.push(`${indentOf(line)}${isNote ? "" : "    "}...`);
      if (behind !== "") lines.push(indentOf(line) + behind);
    } else {
      isSure &&= inLine.isStub === true;
      lines.push(line);
    }
  }
  return { lines: withFirstIndent(lines), marks, isSure };
}

/** Whether no code follows at the same level. Otherwise, a short comment may be a heading of that code. */
function standsAlone(code: readonly string[], at: number): boolean {
  const next = code[at + 1] ?? "";
  return (
    !isCode(next) || /^\s*(?:[)\]}]|end\b|<\/)/.test(next) || columnsOf(next) < columnsOf(code[at] ?? "")
  );
}

/** Restores the indent of the first line. The indent is lost if the block was copied from the middle of that line. */
function withFirstIndent(lines: readonly string[]): readonly string[] {
  const [first = "", ...others] = lines;
  const last = others.findLast(isCode) ?? "";
  const indent = indentOf(last);
  const isLost =
    indentOf(first) === "" &&
    indent !== "" &&
    (/^\s*end\b/.test(last) || (/^\s*[)\]}]/.test(last) && closesAt(lines, indent))) &&
    others.every((line) => !isCode(line) || columnsOf(line) >= columnsOf(last));
  return isLost ? [indent + first, ...others] : lines;
}

/** Whether a line with this indent starts with the bracket that closes the first line's bracket. */
function closesAt(lines: readonly string[], indent: string): boolean {
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    depth += depthOf(line);
    // The opening bracket of the body may be on a separate line.
    if (depth <= 0 && at > 0) return indentOf(line) === indent && /^[)\]}]/.test(line.trim());
    if (depth <= 0 && !/^\s*\{$/.test(lines[1] ?? "")) return false;
  }
  return false;
}

/** The file's lines. A line of the block that the file also has is usually not a mark. */
class KnownLines {
  readonly #lines: readonly string[];
  readonly #places = new Map<string, number[]>();

  constructor(lines: readonly string[]) {
    this.#lines = lines.filter(isCode).map((line) => line.trim());
    for (const [at, line] of this.#lines.entries()) {
      const places = this.#places.get(line);
      if (places === undefined) this.#places.set(line, [at]);
      else places.push(at);
    }
  }

  hasLine(line: string): boolean {
    return this.#places.has(line.trim());
  }

  /** Whether the file has this line. A short line also needs the same lines before and after it. */
  has(code: readonly string[], at: number, mark: MarkKind): boolean {
    const line = code[at]?.trim() ?? "";
    const places = this.#places.get(line);
    if (places === undefined) return false;
    if (mark !== "dots" && (line.match(/\p{L}{2,}/gu)?.length ?? 0) > 3) return true;
    const before = code.slice(0, at).findLast(isCode)?.trim();
    const after = code
      .slice(at + 1)
      .find(isCode)
      ?.trim();
    return places.some(
      (place) =>
        (this.#lines[place - 1] === before || before === undefined) &&
        (this.#lines[place + 1] === after || after === undefined),
    );
  }

  startsLine(ahead: string): boolean {
    return this.#lines.some((line) => line.startsWith(ahead));
  }

  /** Returns the only line that starts and ends with these texts and has more between them, or undefined. */
  find(ahead: string, behind: string): string | undefined {
    const length = ahead.length + behind.length;
    const found = this.#lines.filter(
      (line) => line.length > length && line.startsWith(ahead) && line.endsWith(behind),
    );
    return found.length === 1 ? found[0] : undefined;
  }
}

function isWholeFile(file: LineTree, block: LineTree): boolean {
  const left = new Map<string, number>();
  for (const line of block.lines) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const ofFile = file.lines.filter(hasWord).map((line) => line.trim());
  if (ofFile.length === 0) return false;
  let kept = 0;
  for (const line of ofFile) {
    const count = left.get(line) ?? 0;
    kept += Number(count > 0);
    left.set(line, count - 1);
  }
  const beginsAlike = ofFile[0] === block.lines.find(hasWord)?.trim();
  // If the ends differ, the block may be incomplete and would remove the end of the file.
  const endsAlike = isShownIn(
    block,
    nodesOf(file.root).findLast(({ head }) => hasWord(head)),
    file,
  );
  return (
    endsAlike && (kept >= surelySameFile * ofFile.length || (kept >= sameFile * ofFile.length && beginsAlike))
  );
}

/** Whether the block's outermost level has the node's line, or a definition with the same name. */
function isShownIn(block: LineTree, node: LineNode | undefined, file: LineTree): boolean {
  if (node === undefined) return true;
  const name = definitionOf(node, file)?.name;
  return nodesOf(block.root).some(
    (each) => each.head === node.head || (name !== undefined && definitionOf(each, block)?.name === name),
  );
}

function endLikeFile(text: string, file: string): string {
  return file === "" || file.endsWith("\n") ? `${text}\n` : text;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Returns the text after replacing the selection with code. The code takes the selection's indent. */
export function replaceSelection(
  before: string,
  code: string,
  { start, end }: { readonly start: Position; readonly end: Position },
): string {
  const lines = before.split("\n");
  const line = lines[start.line] ?? "";
  const ahead = line.slice(0, start.character);
  const behind = (lines[end.line] ?? "").slice(end.character);
  // A selection of whole lines includes their indent and the last line break.
  const indent = ahead === "" ? (/^[ \t]*/.exec(line)?.[0] ?? "") : "";
  const lastBreak = end.character === 0 && end.line > start.line ? "\n" : "";
  const text = indentCode(code, ahead === "" ? indent : ahead);
  const fresh = `${ahead}${indent}${text}${lastBreak}${behind}`;
  return [...lines.slice(0, start.line), fresh, ...lines.slice(end.line + 1)].join("\n");
}
