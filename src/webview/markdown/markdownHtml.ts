import { Lexer, type Links, Parser, Renderer, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../text/escapes.ts";
import { type MarkdownPiece, sourceOf } from "../../text/markdown/markdownBlocks.ts";
import { ChatTokenizer } from "./chatTokenizer.ts";

/** Larger blocks are no prose; they are shown as plain text, so that none holds a frame up. */
const maxBlockLength = 16_384;
/** As many quote or list marks in a row are an attack on the parser, not a text. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))){24}/m;

/** As many columns ahead of a list mark, too. */
const tooFarIn = /^[ \t]{48,}(?:[-*+]|\d{1,9}[.)])(?=\s)/m;

/** What may begin emphasis, a link, code or a tag, or be in a mail address: the parser's cost grows with its square. */
const delimiter = /[*_~`[<@]/g;
const maxDelimiters = 1000;

/** It looks for a mail address from each character on. */
const tooLongAddress = /(?<![\w.!#$%&'*+/=?`{|}~-])[\w.!#$%&'*+/=?`{|}~-]{300,}@/;

/** The HTML of a piece, not sanitised. Undefined where it is better shown as the text it is. */
export function convertPieceToHtml(piece: MarkdownPiece, links: Links): string | undefined {
  const text = sourceOf(piece);
  if (text.length > maxBlockLength) return undefined;
  if (tooDeep.test(text) || tooFarIn.test(text) || tooLongAddress.test(text)) return undefined;
  // What is in a cell of a table ends with its row.
  const parts = piece.type === "table-rows" ? text.split("\n") : [text];
  if (parts.some((part) => countDelimiters(part) > maxDelimiters)) return undefined;
  try {
    return convertTokensToHtml(lexMarkdown(text, links));
  } catch {
    // The parser gives up on what is nested too deeply for its recursion.
    return undefined;
  }
}

function countDelimiters(text: string): number {
  return text.length <= maxDelimiters ? 0 : (text.match(delimiter)?.length ?? 0);
}

/** Parses with the link definitions seen so far, and adds those it finds to `links`. */
export function lexMarkdown(text: string, links: Links): Token[] {
  const lexer = new Lexer({ gfm: true, tokenizer: new ChatTokenizer() });
  lexer.tokens.links = links;
  return lexer.lex(text);
}

/** The HTML of these tokens, not sanitised. */
export function convertTokensToHtml(tokens: Token[]): string {
  return new Parser({ gfm: true, renderer: new ChatRenderer() }).parse(tokens);
}

/**
 * A list's text always stands in paragraphs, and `data-loose` says whether they have space between
 * them: so a list can become loose with a later item without touching the items ahead of it.
 */
class ChatRenderer extends Renderer {
  override code({ text, lang }: Tokens.Code): string {
    return `<pre><code data-info="${escapeHtml(lang ?? "")}">${escapeHtml(text.replace(/\n$/, ""))}</code></pre>\n`;
  }

  override list({ ordered, start, loose, items }: Tokens.List): string {
    const tag = ordered ? "ol" : "ul";
    const from = ordered && start !== 1 ? ` start="${start}"` : "";
    const body = items.map((item) => this.listitem(item)).join("");
    return `<${tag}${from}${loose ? ' data-loose="true"' : ""}>\n${body}</${tag}>\n`;
  }

  override listitem({ tokens }: Tokens.ListItem): string {
    const [first, ...others] = tokens;
    const body =
      first?.type === "checkbox"
        ? this.#listText(others.slice(0, 1), this.parser.parse([first])) + this.#listText(others.slice(1))
        : this.#listText(tokens);
    return `<li>${body}</li>\n`;
  }

  /** Images are never loaded: their description stands for them. */
  override image({ text }: Tokens.Image): string {
    return escapeHtml(text);
  }

  #listText(tokens: readonly Token[], ahead = ""): string {
    const html = tokens.map((token) =>
      token.type === "text" ? `<p>${ahead}${this.parser.parse([token])}</p>` : this.parser.parse([token]),
    );
    return ahead === "" || tokens[0]?.type === "text" ? html.join("") : `<p>${ahead}</p>${html.join("")}`;
  }
}
