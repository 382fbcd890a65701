import { Lexer, type Links, Parser, Renderer, type Token, type Tokens } from "marked";
import { escapeHtml } from "../../text/escapes.ts";
import { type MarkdownPiece, sourceOf } from "../../text/markdown/markdownBlocks.ts";
import { ChatTokenizer } from "./chatTokenizer.ts";

/** Longer blocks (UTF-16 units) are shown as plain text, so that parsing them cannot block a frame. */
const maxBlockLength = 16_384;
/** 24 quote or list marks in a row are an attack on the parser. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))){24}/m;

/** 48 columns of indentation before a list mark are an attack, too. */
const tooFarIn = /^[ \t]{48,}(?:[-*+]|\d{1,9}[.)])(?=\s)/m;

/**
 * Characters that may begin emphasis, a link, code, a tag or a mail address. Parsing cost is quadratic in their number.
 */
const delimiter = /[*_~`[<@]/g;
const maxDelimiters = 1000;

/** Text that makes the parser search for a mail address from each of its characters. */
const tooLongAddress = /(?<![\w.!#$%&'*+/=?`{|}~-])[\w.!#$%&'*+/=?`{|}~-]{300,}@/;

/** Converts a piece to unsanitized HTML. Returns undefined if the piece must be shown as plain text. */
export function convertPieceToHtml(piece: MarkdownPiece, links: Links): string | undefined {
  const text = sourceOf(piece);
  if (text.length > maxBlockLength) return undefined;
  if (tooDeep.test(text) || tooFarIn.test(text) || tooLongAddress.test(text)) return undefined;
  // Markup in a table cell ends with its row.
  const parts = piece.type === "table-rows" ? text.split("\n") : [text];
  if (parts.some((part) => countDelimiters(part) > maxDelimiters)) return undefined;
  try {
    return convertTokensToHtml(lexMarkdown(text, links));
  } catch {
    // The parser throws if the nesting is too deep for its recursion.
    return undefined;
  }
}

function countDelimiters(text: string): number {
  return text.length <= maxDelimiters ? 0 : (text.match(delimiter)?.length ?? 0);
}

/** Parses with the link definitions in `links`, and adds new definitions to `links`. */
export function lexMarkdown(text: string, links: Links): Token[] {
  const lexer = new Lexer({ gfm: true, tokenizer: new ChatTokenizer() });
  lexer.tokens.links = links;
  return lexer.lex(text);
}

/** Converts tokens to unsanitized HTML. */
export function convertTokensToHtml(tokens: Token[]): string {
  return new Parser({ gfm: true, renderer: new ChatRenderer() }).parse(tokens);
}

/**
 * Always puts the text of list items into paragraphs; `data-loose` sets the space between them. This way a later item
 * can make the list loose without changing earlier items.
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

  /** Shows the description instead of the image, because images are never loaded. */
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
