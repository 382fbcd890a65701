import {
  endsParagraph,
  endsTable,
  indentOf,
  isBlank,
  isHeading,
  isHtmlStart,
  isSetextUnderline,
  isTableHead,
  isThematicBreak,
  isWholeDefinition,
  readFence,
  readHtmlEnd,
  type Rest,
  withoutIndent,
} from "./markdownLines.ts";
import type { MarkdownPiece } from "./markdownPiece.ts";
import { followFences, openFence, type OpenFence } from "./nestedFences.ts";

/** A block with no blocks in it, as far as it has come. */
export type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph"; readonly lines: string[] }
  /** `end`: null where a blank line ends it. */
  | { readonly kind: "html"; readonly lines: string[]; readonly end: RegExp | null }
  /** `fences`: the block's own, and those open in it if it holds Markdown. */
  | { readonly kind: "fence"; readonly fences: readonly OpenFence[]; readonly isEmpty: boolean }
  /** `held`: blank lines, which are code only if more code follows. */
  | { readonly kind: "indented-code"; readonly held: string }
  | { readonly kind: "table"; readonly head: string };

export const noLeaf: Leaf = { kind: "none" };

/**
 * Takes one whole line, without the marks and the indent of what the leaf stands in. What it settles goes
 * to `pieces`. Undefined where the line ends the leaf and is no part of it.
 */
export function advanceLeaf(leaf: Leaf, rest: Rest, pieces: MarkdownPiece[]): Leaf | undefined {
  const line = rest.text;
  switch (leaf.kind) {
    case "none":
      return undefined;
    case "paragraph":
      return advanceParagraph(leaf.lines, line, pieces);
    case "html":
      if (leaf.end === null && isBlank(line)) return undefined;
      return leaf.end?.test(line) === true ? settle(keep(leaf, line), pieces) : keep(leaf, line);
    case "fence": {
      const fences = followFences(leaf.fences, line);
      if (fences.length === 0) return settle(leaf, pieces);
      pieces.push(codeOf(leaf, rest));
      return { ...leaf, fences, isEmpty: false };
    }
    case "indented-code":
      if (isBlank(line)) return { ...leaf, held: `${leaf.held}\n${withoutIndent(rest, 4).text}` };
      if (indentOf(rest) < 4) return undefined;
      pieces.push({ type: "code-text", text: `${leaf.held}\n${withoutIndent(rest, 4).text}` });
      return { ...leaf, held: "" };
    case "table":
      if (endsTable(line)) return undefined;
      pieces.push({ type: "table-rows", head: leaf.head, text: line, first: false });
      return leaf;
  }
}

/** Begins with a line that begins no list item and no quote. */
export function beginLeaf(rest: Rest, pieces: MarkdownPiece[]): Leaf {
  const line = rest.text;
  if (isBlank(line)) return noLeaf;
  if (indentOf(rest) >= 4) {
    pieces.push({ type: "code-start", info: "" }, { type: "code-text", text: withoutIndent(rest, 4).text });
    return { kind: "indented-code", held: "" };
  }
  const fence = readFence(line);
  if (fence !== undefined) {
    pieces.push({ type: "code-start", info: fence.info });
    return { kind: "fence", fences: [openFence(fence)], isEmpty: true };
  }
  if (isHeading(line) || isThematicBreak(line)) {
    pieces.push({ type: "block", text: line });
    return noLeaf;
  }
  if (!isHtmlStart(line)) return { kind: "paragraph", lines: [line] };
  const end = readHtmlEnd(line);
  const html: Leaf = { kind: "html", lines: [line], end };
  return end?.test(line) === true ? settle(html, pieces) : html;
}

/** What is to be given out when the leaf ends. */
export function restOfLeaf(leaf: Leaf): MarkdownPiece | undefined {
  switch (leaf.kind) {
    case "none":
    case "table":
      return undefined;
    case "paragraph":
    case "html":
      return { type: "block", text: leaf.lines.join("\n") };
    case "fence":
    case "indented-code":
      return { type: "code-end" };
  }
}

/** Text of a line in the fence. */
export function codeOf(leaf: Extract<Leaf, { kind: "fence" }>, rest: Rest): MarkdownPiece {
  const { text } = withoutIndent(rest, leaf.fences[0]?.indent ?? 0);
  return { type: "code-text", text: leaf.isEmpty ? text : `\n${text}` };
}

export function copyLeaf(leaf: Leaf): Leaf {
  return "lines" in leaf ? { ...leaf, lines: [...leaf.lines] } : leaf;
}

function advanceParagraph(lines: string[], line: string, pieces: MarkdownPiece[]): Leaf | undefined {
  const paragraph: Leaf = { kind: "paragraph", lines };
  // A link definition is no heading, whatever underlines it; then a row of `=` begins a paragraph.
  const mayBeDefinition = /^ {0,3}\[/.test(lines[0] ?? "");
  if (isSetextUnderline(line) && !(mayBeDefinition && line.includes("="))) {
    return settle(keep(paragraph, line), pieces);
  }
  if (isTableHead(lines.at(-1) ?? "", line)) {
    const head = `${lines.pop() ?? ""}\n${line}`;
    if (lines.length > 0) settle(paragraph, pieces);
    pieces.push({ type: "table-rows", head, text: "", first: true });
    return { kind: "table", head };
  }
  if (endsParagraph(line)) return undefined;
  // A definition in one line is whole when the next begins: a row of them is no paragraph that grows.
  if (lines.length === 1 && isWholeDefinition(lines[0] ?? "") && isWholeDefinition(line)) {
    settle(paragraph, pieces);
    return { kind: "paragraph", lines: [line] };
  }
  return keep(paragraph, line);
}

function keep<Block extends { readonly lines: string[] }>(block: Block, line: string): Block {
  block.lines.push(line);
  return block;
}

function settle(leaf: Leaf, pieces: MarkdownPiece[]): Leaf {
  const rest = restOfLeaf(leaf);
  if (rest !== undefined) pieces.push(rest);
  return noLeaf;
}
