/** Draws Markdown like the page does, but with tokens instead of elements. */
import assert from "node:assert/strict";
import type { Links, Token, Tokens } from "marked";
import {
  type MarkdownPiece,
  MarkdownSplitter,
  sourceOf,
} from "../../../../src/text/markdown/markdownBlocks.ts";
import {
  convertTokensToHtml,
  formulaMarks,
  lexMarkdown,
} from "../../../../src/webview/markdown/markdownHtml.ts";

/** Splits a text into parts. The lengths, in UTF-16 units, apply in turn, again and again. */
export function cut(text: string, ...lengths: number[]): string[] {
  const parts: string[] = [];
  for (let start = 0, turn = 0; start < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    parts.push(text.slice(start, start + length));
    start += length;
  }
  return parts;
}

/** The HTML of each block when the parser reads the whole text at once. */
export function blocksOfWhole(text: string): string[] {
  return lexMarkdown(text, {}).filter(isShown).map(convertToBlock);
}

/** The HTML of each block when the text streams in these parts. */
export function blocksInParts(parts: readonly string[]): string[] {
  const splitter = new MarkdownSplitter();
  return blocksOfPieces([...parts.flatMap((part) => splitter.push(part)), ...splitter.end()]);
}

export function blocksOfPieces(pieces: readonly MarkdownPiece[]): string[] {
  const links: Links = {};
  // A link definition also applies to the text before it, because the page redraws that text at the end.
  for (const piece of pieces) if (piece.type !== "code-text") lexMarkdown(sourceOf(piece), links);
  const places: Place[] = [{ tokens: [] }];
  for (const piece of pieces) addPiece(places, piece, links);
  assert.equal(places.length, 1, "all that was opened has ended");
  return places[0]?.tokens.map(convertToBlock) ?? [];
}

interface Place {
  readonly tokens: Token[];
  /** The list, if this place is an item of a list. */
  readonly list?: Tokens.List;
}

function addPiece(places: Place[], piece: MarkdownPiece, links: Links): void {
  const { tokens, list } = places.at(-1) ?? assert.fail("nothing is open");
  const last = tokens.at(-1);
  switch (piece.type) {
    case "code-start":
      tokens.push({ type: "code", raw: "", lang: piece.info, text: "" });
      return;
    case "code-text":
      assert.ok(last?.type === "code");
      last["text"] += piece.text;
      return;
    case "code-end":
      return;
    case "quote-start": {
      const quote: Tokens.Blockquote = { type: "blockquote", raw: "", text: "", tokens: [] };
      tokens.push(quote);
      places.push({ tokens: quote.tokens });
      return;
    }
    case "container-end":
      places.pop();
      return;
    case "loosen":
      assert.ok(list);
      list.loose = true;
      return;
    case "block":
    case "list-item":
    case "table-rows":
    case "formula":
      addParsed(places, tokens, piece, links);
  }
}

function addParsed(places: Place[], tokens: Token[], piece: MarkdownPiece, links: Links): void {
  const last = tokens.at(-1);
  const [first, ...others] = lexMarkdown(sourceOf(piece), links).filter(isShown);
  let list = isList(first) ? first : undefined;
  if (piece.type === "list-item" && !piece.first && isList(last) && isList(first)) {
    last.items.push(...first.items);
    last.loose ||= first.loose || piece.loose;
    list = last;
  } else if (piece.type === "table-rows" && !piece.first && isTable(last) && isTable(first)) {
    last.rows.push(...first.rows);
  } else if (first !== undefined) {
    tokens.push(first);
  }
  tokens.push(...others);
  if (piece.type === "list-item" && piece.open) {
    assert.ok(list);
    const item = list.items.at(-1) ?? assert.fail("a list without items");
    places.push({ tokens: item.tokens, list });
  }
}

const isShown = ({ type }: Token): boolean => type !== "space" && type !== "def";
const isList = (token: Token | undefined): token is Tokens.List => token?.type === "list";
const isTable = (token: Token | undefined): token is Tokens.Table => token?.type === "table";

/** A formula that is a whole paragraph looks like a formula of several lines. */
const formulaParagraph = new RegExp(
  `<p><span (data-formula="${formulaMarks.display}">[^<]*</)span></p>`,
  "g",
);

/** Removes line breaks beside tags, spaces at the end of a paragraph, and indents before `|`, `:`, `=` and `-`. */
function convertToBlock(token: Token): string {
  return convertTokensToHtml([token])
    .replaceAll(/\n*(<[^>]*>)\n*/g, "$1")
    .replaceAll(/\s+(?=<\/p>)/g, "")
    .replaceAll(formulaParagraph, "<div $1div>")
    .replaceAll(/\n {4}(?=[|:=-])/g, "\n")
    .trim();
}
