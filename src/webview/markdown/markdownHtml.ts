import {
  Lexer,
  type Links,
  type MarkedOptions,
  Parser,
  Renderer,
  type Token,
  Tokenizer,
  type Tokens,
} from "marked";
import { escapeHtml } from "../../text/escapes.ts";
import {
  findFormulaBlock,
  findFormulas,
  mayHoldFormula,
  readFormula,
  readFormulaBlock,
} from "../../text/markdown/formulas.ts";
import { type MarkdownPiece, sourceOf } from "../../text/markdown/markdownBlocks.ts";

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

/**
 * The attribute value that marks formulas in the HTML, by their kind. An answer cannot know it, so only this module makes
 * formulas.
 */
export const formulaMarks = {
  inline: crypto.randomUUID(),
  display: crypto.randomUUID(),
  unfinished: crypto.randomUUID(),
} as const;

/**
 * Converts a piece to unsanitized HTML. Returns undefined if the piece must be shown as plain text.
 *
 * @param isUnfinished whether more text may follow, so that a formula without an end is shown as it is
 */
export function convertPieceToHtml(
  piece: MarkdownPiece,
  links: Links,
  isUnfinished = false,
): string | undefined {
  const text = sourceOf(piece);
  if (text.length > maxBlockLength) return undefined;
  if (piece.type === "formula") return formulaHtml(piece.ended, text);
  if (tooDeep.test(text) || tooFarIn.test(text) || tooLongAddress.test(text)) return undefined;
  // Markup in a table cell ends with its row.
  const parts = piece.type === "table-rows" ? text.split("\n") : [text];
  if (parts.some((part) => countDelimiters(part) > maxDelimiters)) return undefined;
  try {
    return convertTokensToHtml(lexMarkdown(text, links, isUnfinished));
  } catch {
    // The parser throws if the nesting is too deep for its recursion.
    return undefined;
  }
}

/** The HTML of a formula of several lines. One that has not ended is plain text. */
function formulaHtml(ended: boolean, text: string): string {
  return `<div data-formula="${ended ? formulaMarks.display : formulaMarks.unfinished}">${escapeHtml(text)}</div>\n`;
}

function countDelimiters(text: string): number {
  return text.length <= maxDelimiters ? 0 : (text.match(delimiter)?.length ?? 0);
}

/** Parses with the link definitions in `links`, and adds new definitions to `links`. */
export function lexMarkdown(text: string, links: Links, isUnfinished = false): Token[] {
  const options: MarkedOptions = { gfm: true, tokenizer: new ChatTokenizer() };
  // Most texts have no formula, and then the parser need not look for any.
  if (mayHoldFormula(text)) options.extensions = isUnfinished ? unfinishedFormulas : formulas;
  const lexer = new Lexer(options);
  lexer.tokens.links = links;
  return lexer.lex(text);
}

/** Converts tokens to unsanitized HTML. */
export function convertTokensToHtml(tokens: Token[]): string {
  return new Parser({ gfm: true, renderer: new ChatRenderer(), extensions: formulas }).parse(tokens);
}

type Extensions = NonNullable<MarkedOptions["extensions"]>;

const formulas = createFormulaExtensions(false);
const unfinishedFormulas = createFormulaExtensions(true);

/** Extends the parser by formulas. If `isUnfinished`, text after the start of a formula stays as it is. */
function createFormulaExtensions(isUnfinished: boolean): Extensions {
  return {
    block: [
      (source) => {
        const raw = readFormulaBlock(source);
        return raw === undefined ? undefined : { type: "formulaBlock", raw };
      },
    ],
    startBlock: [findFormulaBlock],
    inline: [
      (source, tokens) => {
        if (!/^(?:\$|\\[([])/.test(source)) return undefined;
        const formula = readFormula(source, tokens.at(-1)?.raw.slice(-1) ?? "");
        if (formula === "unfinished") {
          return isUnfinished ? { type: "formulaStart", raw: source } : undefined;
        }
        return formula && { type: "formula", raw: formula.source, display: formula.display };
      },
    ],
    startInline: [(source) => source.search(/\$|\\[([]/)],
    renderers: {
      formulaBlock: ({ raw }) => formulaHtml(true, raw.trim()),
      formula: ({ raw, display }) =>
        `<span data-formula="${formulaMarks[display === true ? "display" : "inline"]}">${escapeHtml(raw)}</span>`,
      formulaStart: ({ raw }) => escapeHtml(raw),
    },
    childTokens: {},
  };
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

/**
 * Letters and punctuation of Chinese, Japanese and Korean, as markdown-cjk-friendly (a change to CommonMark) defines
 * them. These scripts put no spaces between words, so emphasis marks touch letters on both sides.
 */
const wideUnits =
  "\\u1100-\\u11ff\\u2e80-\\u2fff\\u3001-\\u303e\\u3041-\\ua4c6\\ua960-\\ua97c\\uac00-\\ud7fb\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b\\uff01-\\uffee";
const wide = `${wideUnits}\\u{16fe0}-\\u{1b2fb}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}`;
const isWide = new RegExp(`^[${wide}]`, "u");

type Rules = InstanceType<typeof Tokenizer>["rules"];

/** Patterns for one character beside a mark. Spaces and wide characters match neither pattern. */
interface Kinds {
  readonly punctuation: string;
  readonly other: string;
}

/** The parser does not count a tilde as punctuation beside emphasis. */
const besideStar: Kinds = {
  punctuation: `(?:(?![~${wide}])[\\p{P}\\p{S}])`,
  other: `(?:~|(?![${wide}])[^\\s\\p{P}\\p{S}])`,
};
const besideTilde: Kinds = {
  punctuation: `(?:(?![${wide}])[\\p{P}\\p{S}])`,
  other: `(?:(?![${wide}])[^\\s\\p{P}\\p{S}])`,
};

/**
 * Matches the ends of emphasis in the parser's format, by the characters on both sides of the marks. Groups 1 and 2 can
 * only close, 3 and 4 can only open, 5 and 6 can do both. A wide character on one side lets marks do both.
 * @param start text without marks, matched first
 * @param not a lookahead that rejects other marks
 */
function closingMarks(start: string, marks: string, not: string, { punctuation, other }: Kinds): RegExp {
  return new RegExp(
    [
      start,
      `${not}\\S(${marks})(?=\\s|$)`,
      `${other}(${marks})${not}(?=${punctuation})`,
      `\\s(${marks})${not}(?=\\S)`,
      `${not}${punctuation}(${marks})${not}(?=${other})`,
      `${not}(?:${punctuation}|[${wide}])(${marks})${not}(?=${punctuation}|[${wide}])`,
      `(?:${other}|[${wide}])(${marks})${not}(?=${other}|[${wide}])`,
    ].join("|"),
    "gu",
  );
}

/** Between characters that are not wide, these rules equal the parser's own. */
const besideWide = {
  punctuation: new RegExp(`^(?:(?![*_${wide}])[\\s\\p{P}\\p{S}])`, "u"),
  emStrongLDelim: new RegExp(`^\\*+(?:((?!\\*)${besideStar.punctuation})|([^\\s*]))?`, "u"),
  emStrongRDelimAst: closingMarks(
    "^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])",
    "\\*+",
    "(?!\\*)",
    besideStar,
  ),
  delLDelim: new RegExp(`^~~?(?:((?!~)${besideTilde.punctuation})|[^\\s~])`, "u"),
  delRDelim: closingMarks("^[^~]+(?=[^~])", "~~?", "(?!~)", besideTilde),
} satisfies Partial<Rules["inline"]>;

/** After a wide character, marks can open emphasis before any character except a space. */
const behindWide = {
  ...besideWide,
  emStrongLDelim: /^\*+(?:(?!)()|([^\s*]))?/u,
  delLDelim: /^~~?(?:(?!)()|[^\s~])/u,
} satisfies Partial<Rules["inline"]>;

/** Punctuation that ends a web address: full-width punctuation, quotation marks, an ellipsis and a dash. */
const endOfAddress =
  /[\u2014\u2018-\u201d\u2026\u3001-\u3003\u3008-\u3011\u3014-\u301f\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff3f\uff40\uff5b-\uff65]/;
/**
 * A wide letter that ends an address: after a letter or digit, or at the beginning of the path. After other signs or
 * wide letters it is part of the address: `/wiki/\u4e2d\u6587`.
 */
const wordBehindAddress = new RegExp(`(?<=[A-Za-z0-9]|^(?:\\w+:\\/\\/)?[^/]*\\/)(?![^\\p{L}])[${wide}]`, "u");

/** The start of the parser's pattern for an address without a scheme. `ruleSetsOf` adds wide characters to it. */
const beginningOfHost = String.raw`(?<![^\s*_~(`;

/** The parser's own rules, those for marks beside wide characters, and those for marks after them. */
interface RuleSets {
  readonly plain: Rules;
  readonly beside: Rules;
  readonly behind: Rules;
}

/** Extends the parser's inline rules for Chinese, Japanese and Korean. */
class ChatTokenizer extends Tokenizer {
  #sets: RuleSets | undefined;
  /** The last text with masked formulas, by the text that the parser has masked. */
  #hidden: { readonly masked: string; readonly text: string } | undefined;

  override emStrong(source: string, given: string, before = ""): Tokens.Em | Tokens.Strong | undefined {
    const masked = this.#hideFormulas(source, given);
    // Underscores occur in names, also in Chinese ones, so they keep the parser's rules.
    this.rules = source.startsWith("*") ? this.#rulesFor(source, masked) : this.#ruleSets.plain;
    return super.emStrong(source, masked, before);
  }

  override del(source: string, given: string, before = ""): Tokens.Del | undefined {
    const masked = this.#hideFormulas(source, given);
    if (source.startsWith("~")) this.rules = this.#rulesFor(source, masked);
    return super.del(source, masked, before);
  }

  /** An underline in a formula of several lines makes no heading. */
  override lheading(source: string): Tokens.Heading | undefined {
    const heading = super.lheading(source);
    if (heading === undefined || this.lexer.options.extensions === undefined) return heading;
    const at = findFormulaBlock(source);
    return at >= 0 && at < heading.raw.length ? undefined : heading;
  }

  override url(source: string): Tokens.Link | undefined {
    const link = super.url(source);
    if (link === undefined || link.href.startsWith("mailto:")) return link;
    const ends = [endOfAddress, wordBehindAddress].map((end) => link.raw.search(end)).filter((at) => at >= 0);
    return ends.length === 0 ? link : super.url(source.slice(0, Math.min(...ends)));
  }

  override inlineText(source: string): Tokens.Text | undefined {
    this.rules = this.#ruleSets.plain;
    return super.inlineText(source);
  }

  /** Replaces the formulas by letters, since marks in them end no emphasis. */
  #hideFormulas(source: string, masked: string): string {
    if (this.lexer.options.extensions === undefined || !/^[*_~]/.test(source)) return masked;
    if (this.#hidden?.masked === masked) return this.#hidden.text;
    const start = masked.length - source.length;
    let text = masked;
    for (const formula of findFormulas(source)) {
      const from = start + formula.index;
      const { length } = formula.source;
      text = text.slice(0, from) + "a".repeat(length) + text.slice(from + length);
    }
    this.#hidden = { masked, text };
    return text;
  }

  /** Created on first use: the lexer sets `rules` after the constructor. */
  get #ruleSets(): RuleSets {
    return (this.#sets ??= ruleSetsOf(this.rules));
  }

  #rulesFor(source: string, masked: string): Rules {
    const { beside, behind } = this.#ruleSets;
    return isWide.test(characterBefore(source, masked)) ? behind : beside;
  }
}

function ruleSetsOf(rules: Rules): RuleSets {
  const text = new RegExp(
    rules.inline.text.source.replace(beginningOfHost, `${beginningOfHost}${wideUnits}`),
  );
  const inline = { ...rules.inline, text };
  return {
    plain: { ...rules, inline },
    beside: { ...rules, inline: { ...inline, ...besideWide } },
    behind: { ...rules, inline: { ...inline, ...behindWide } },
  };
}

/** The character before a run of marks. Skips variation selectors. */
function characterBefore(source: string, masked: string): string {
  let end = masked.length - source.length;
  while (end > 0 && masked[end - 1] === source[0]) end -= 1;
  const ahead = masked.slice(Math.max(0, end - 4), end).replace(/[\ufe00-\ufe0e\u{e0100}-\u{e01ef}]+$/u, "");
  return Array.from(ahead).at(-1) ?? "";
}
