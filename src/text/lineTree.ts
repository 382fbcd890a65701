import { type Definition, readDefinition } from "./definitionNames.ts";
import type { MarkKind } from "./elisionMarks.ts";

/** A line of code with the lines that belong to it: the more indented lines, and the lines that close them. */
export interface LineNode {
  readonly kind: "node";
  /** `start` is its first line; `lead` is the first comment or decorator line directly above. */
  readonly start: number;
  lead: number;
  /** The line after its last line. */
  end: number;
  /** Number of columns. */
  readonly indent: number;
  /** The first line without indent. If that line has no words, such as `{`, the first line inside follows. */
  head: string;
  /** Lines that continue the node at the same indent, such as `} else {` and `}`. */
  readonly joints: number[];
  /** Number of brackets that the first line and the joints leave open. */
  depth: number;
  /** The items after the first line, and after each joint. */
  readonly parts: Item[][];
  /** Whether the node contains a mark for omitted code. */
  hasMarks: boolean;
  readonly parent: LineNode | undefined;
  list: Item[];
  /** Position in `list`, set when the tree is complete. */
  index: number;
}

interface MarkItem {
  readonly kind: "mark";
  readonly line: number;
  readonly mark: MarkKind;
  readonly indent: number;
}

export type Item = LineNode | MarkItem;

export interface LineTree {
  readonly lines: readonly string[];
  readonly root: Item[];
  /** First of the lines at the end that close blocks opened before the text. The number of lines if there are none. */
  readonly tail: number;
  /** False if the text continues at a smaller indent than it began, or continues after the closing lines of `tail`. */
  readonly isRegular: boolean;
}

const tabColumns = 4;

export function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === "\t") columns += tabColumns - (columns % tabColumns);
    else if (character === " ") columns += 1;
    else break;
  }
  return columns;
}

/** Lines without a word, such as brackets, occur everywhere, so they identify no place. */
export const hasWord = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
export const depthOf = (line: string): number => countOf(line, /[([{]/g) - countOf(line, /[)\]}]/g);
export const isCode = (line: string): boolean => line.trim() !== "";

const joint =
  /^(?:[)\]}]|;$|(?:end|else|elif|elsif|elseif|except|finally|rescue|ensure|catch|then|fi|done|esac)\b(?!\s*[=:(]\s*\S)|<\/|-->|\*\/|=>|&&|\|\|)/;
/** Matches a line that only opens the body of the line above. */
const bodyBelow = /^[{(]\s*$/;
/** `bracket` matches a line that begins with a closing bracket; `closed`, a line of closing brackets only. */
const bracket = /^[)\]}]/;
const closed = /^[)\]}]+[;,]?$/;
const closing = /^(?:[)\]}]|end\b|fi\b|done\b|esac\b|<\/)/;
const comment =
  /^(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|pragma|region|undef)\b|\w)|--(?=\s)|<!--|;(?=[;\s])|%(?=[%\s])|@[\w.]+(?:\(.*\))?\s*$|\[[A-Z][\w.]*.*\]\s*$|#!?\[)/;

export const isComment = (line: string): boolean => comment.test(line.trim());

/** @param marks lines that stand for omitted code */
export function buildTree(lines: readonly string[], marks: ReadonlyMap<number, MarkKind>): LineTree {
  const root: Item[] = [];
  const open: LineNode[] = [];
  const all: Item[][] = [root];
  let tail = lines.length;
  let isRegular = true;
  let first: number | undefined;
  const close = (): void => {
    const node = open.pop();
    const parent = open.at(-1);
    if (node === undefined || parent === undefined) return;
    parent.end = Math.max(parent.end, node.end);
    parent.hasMarks ||= node.hasMarks;
  };
  const nextCode = nextCodeLines(lines, marks);
  const strings = findStrings(lines);
  for (const [at, line] of lines.entries()) {
    if (!isCode(line)) continue;
    const code = line.trim();
    const mark = marks.get(at);
    const string = strings[at];
    const inside = open.at(-1);
    // Lines of a multi-line string may be less indented than the code around them.
    if (string !== undefined && inside !== undefined && columnsOf(line) < columnsOf(lines[string] ?? "")) {
      inside.end = at + 1;
      continue;
    }
    const indent = mark === undefined ? columnsOf(line) : indentOfMark(lines, at, nextCode[at]);
    while ((open.at(-1)?.indent ?? -1) > indent) close();
    const same = open.at(-1);
    if (same?.indent === indent && mark === undefined && goesOn(same, code, lines)) {
      const part: Item[] = [];
      same.joints.push(at);
      same.depth += depthOf(line);
      same.parts.push(part);
      same.end = at + 1;
      all.push(part);
      continue;
    }
    if (open.at(-1)?.indent === indent) close();
    const parent = open.at(-1);
    if (first !== undefined && indent < first && mark === undefined) {
      if (closing.test(code)) tail = Math.min(tail, at);
      else isRegular = false;
    } else if (tail < lines.length) isRegular = false;
    if (mark === undefined) first ??= indent;
    const list = parent?.parts.at(-1) ?? root;
    if (mark !== undefined) {
      list.push({ kind: "mark", line: at, mark, indent });
      if (parent !== undefined) {
        parent.hasMarks = true;
        parent.end = Math.max(parent.end, at + 1);
      }
      continue;
    }
    if (tail <= at) continue;
    const part: Item[] = [];
    all.push(part);
    const node: LineNode = {
      kind: "node",
      start: at,
      lead: at,
      end: at + 1,
      indent,
      head: code,
      joints: [],
      depth: depthOf(line),
      parts: [part],
      hasMarks: false,
      parent,
      list,
      index: 0,
    };
    if (parent !== undefined && list.length === 0 && parent.parts.length === 1 && !hasWord(parent.head))
      parent.head = `${parent.head} ${code}`;
    list.push(node);
    open.push(node);
  }
  while (open.length > 0) close();
  for (const list of all) joinLeads(list, lines);
  return { lines, root, tail, isRegular };
}

export function isNode(item: Item | undefined): item is LineNode {
  return item?.kind === "node";
}

export function nodesOf(list: readonly Item[]): readonly LineNode[] {
  return list.filter(isNode);
}

export function definitionOf(node: LineNode, tree: LineTree): Definition | undefined {
  const line = tree.lines[node.start] ?? "";
  const opensBlock = node.end > node.start + 1 || /[{:]/.test(line);
  return readDefinition(hasWord(line) ? line : node.head, opensBlock);
}

/**
 * Whether every mark in the node is `...` alone after a line that ends in `:`. Such dots are a stub, so they are code.
 */
export function isStub(node: LineNode): boolean {
  const areCode = node.joints.length === 0 && node.head.endsWith(":");
  return node.parts.every((part) =>
    part.every((item) =>
      isNode(item) ? !item.hasMarks || isStub(item) : areCode && item.mark === "dots" && part.length === 1,
    ),
  );
}

/** Yields all nodes of a list and their descendants, in order. */
export function* walkNodes(list: readonly Item[]): Generator<LineNode, void> {
  const stack: LineNode[] = [...nodesOf(list)].toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (const part of node.parts.toReversed())
      for (const inner of [...nodesOf(part)].toReversed()) stack.push(inner);
  }
}

/** Whether a line at the same indent as the node belongs to the node. */
function goesOn(node: LineNode, code: string, lines: readonly string[]): boolean {
  const isBody = node.end === node.start + 1 && hasWord(node.head) && bodyBelow.test(code);
  if (isBody || !joint.test(code)) return isBody;
  // The brackets of a closed node do not close again. A further bracket then ends a namespace whose code is not
  // indented.
  const last = node.joints.at(-1);
  if (!bracket.test(code) || last === undefined || !closed.test(lines[last]?.trim() ?? "")) return true;
  return node.depth > 0;
}

/** Returns, for each line, the next line with code other than a mark. Returns an empty list if there are no marks. */
function nextCodeLines(
  lines: readonly string[],
  marks: ReadonlyMap<number, MarkKind>,
): readonly (number | undefined)[] {
  const next: (number | undefined)[] = [];
  let found: number | undefined;
  if (marks.size === 0) return next;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    next[at] = found;
    if (!marks.has(at) && isCode(lines[at] ?? "")) found = at;
  }
  return next;
}

/**
 * Returns the indent where a mark belongs, judged by the next line. Models do not always indent marks like the code
 * they replace.
 */
function indentOfMark(lines: readonly string[], at: number, next: number | undefined): number {
  const own = columnsOf(lines[at] ?? "");
  const following = next === undefined ? "" : (lines[next] ?? "");
  const nextIndent = columnsOf(following);
  if (following === "" || nextIndent < own) return own;
  return nextIndent === own
    ? own + Number(closing.test(following.trim()))
    : nextIndent + Number(closing.test(following.trim()));
}

/** Assigns comments and decorators to the line directly below them. */
function joinLeads(list: Item[], lines: readonly string[]): void {
  let lead: LineNode | undefined;
  let end = -1;
  const kept: Item[] = [];
  let waiting: Item[] = [];
  for (const item of list) {
    if (isNode(item) && isComment(lines[item.start] ?? "") && !isLone(item, lines)) {
      if (lead === undefined || end !== item.start) {
        for (const each of waiting) kept.push(each);
        waiting = [];
        lead = item;
      }
      waiting.push(item);
      end = item.end;
      continue;
    }
    if (isNode(item) && lead !== undefined && end === item.start) item.lead = lead.start;
    else for (const each of waiting) kept.push(each);
    [waiting, lead] = [[], undefined];
    kept.push(item);
  }
  list.length = 0;
  for (const item of [...kept, ...waiting]) {
    if (isNode(item)) [item.list, item.index] = [list, list.length];
    list.push(item);
  }
}

/** Whether a node that looks like a comment or decorator has its own body. An at-rule of a style sheet does. */
function isLone(node: LineNode, lines: readonly string[]): boolean {
  return node.end > node.start + 1 && /[{:]\s*$/.test(lines[node.start] ?? "");
}

/** Lines of a file, counted from 0; `end` is exclusive. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the lines of a file that match a piece of a block, in one pass. The range begins and ends with lines equal to
 * the first and last line of the piece. At least half of the lines in the range are in the piece. If several ranges
 * match equally well, the nearest to `cursor` wins.
 */
export function findRange(
  file: readonly string[],
  piece: readonly string[],
  cursor: number,
): LineRange | undefined {
  const [first = "", last = ""] = [piece[0], piece.at(-1)];
  const shift = columnsOf(last) - columnsOf(first);
  const known = new Set(piece.map((line) => line.trim()));
  const shared = sumsUpTo(file, (line) => hasWord(line) && known.has(line.trim()));
  const all = sumsUpTo(file, hasWord);
  /** By indent: the best end for a range that begins further up. */
  const ends = new Map<number, number>();
  let best: (LineRange & { readonly score: number }) | undefined;
  for (let start = file.length - 1; start >= 0; start -= 1) {
    const line = file[start] ?? "";
    const code = line.trim();
    const value = (at: number): number => 3 * (shared[at] ?? 0) - (all[at] ?? 0);
    const other = ends.get(columnsOf(line));
    if (code === last.trim() && (other === undefined || value(start + 1) >= value(other))) {
      ends.set(columnsOf(line), start + 1);
    }
    const end = code === first.trim() ? ends.get(columnsOf(line) + shift) : undefined;
    if (end === undefined) continue;
    const score = (shared[end] ?? 0) - (shared[start] ?? 0);
    if (score * 2 < (all[end] ?? 0) - (all[start] ?? 0)) continue;
    const distance = (range: LineRange): number => Math.max(range.start - cursor, cursor - range.end + 1, 0);
    const range = { start, end, score };
    if (
      best === undefined ||
      score > best.score ||
      (score === best.score && distance(range) <= distance(best))
    )
      best = range;
  }
  return best;
}

function sumsUpTo(lines: readonly string[], counts: (line: string) => boolean): readonly number[] {
  const sums = [0];
  let sum = 0;
  for (const line of lines) sums.push((sum += Number(counts(line))));
  return sums;
}

const maxScannedLength = 200_000;

/** Maps each line inside a multi-line string to the first line of that string. */
export function findStrings(lines: readonly string[]): readonly (number | undefined)[] {
  const starts: (number | undefined)[] = [];
  let open: { readonly mark: string; readonly line: number } | undefined;
  if (lines.reduce((sum, line) => sum + line.length, 0) > maxScannedLength) return starts;
  const withTemplates = (lines.join("\n").match(/`/g)?.length ?? 0) % 2 === 0;
  for (const [at, line] of lines.entries()) {
    starts.push(open?.line);
    let rest = line;
    for (;;) {
      if (open === undefined) {
        const found = /"""|'''|`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|#\s.*$/.exec(rest);
        const mark = found?.[0] ?? "";
        if (found === null) break;
        rest = rest.slice(found.index + mark.length);
        if (mark === '"""' || mark === "'''" || (mark === "`" && withTemplates)) open = { mark, line: at };
      } else {
        const end =
          open.mark === "`" ? /^(?:[^`\\]|\\.?)*`/.exec(rest)?.[0].length : rest.indexOf(open.mark) + 3;
        if (end === undefined || end === 2) break;
        rest = rest.slice(end);
        open = undefined;
      }
    }
  }
  // A string without an end is not a string.
  const last = open?.line ?? lines.length;
  return starts.map((start, at) => (at > last ? undefined : start));
}
