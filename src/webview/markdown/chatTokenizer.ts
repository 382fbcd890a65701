import { Tokenizer, type Tokens } from "marked";

/**
 * Letters and punctuation of Chinese, Japanese and Korean: what CommonMark's amendment for these languages
 * (markdown-cjk-friendly) takes for them. They have no blanks between words, so that marks touch them on both sides.
 */
const wideUnits =
  "\\u1100-\\u11ff\\u2e80-\\u2fff\\u3001-\\u303e\\u3041-\\ua4c6\\ua960-\\ua97c\\uac00-\\ud7fb\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b\\uff01-\\uffee";
const wide = `${wideUnits}\\u{16fe0}-\\u{1b2fb}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}`;
const isWide = new RegExp(`^[${wide}]`, "u");

type Rules = InstanceType<typeof Tokenizer>["rules"];

/** One character beside a mark: punctuation of other scripts, a wide character, and anything else but a blank. */
interface Kinds {
  readonly punctuation: string;
  readonly other: string;
}

/** A tilde is no punctuation beside emphasis, as the parser has it. */
const besideStar: Kinds = {
  punctuation: `(?:(?![~${wide}])[\\p{P}\\p{S}])`,
  other: `(?:~|(?![${wide}])[^\\s\\p{P}\\p{S}])`,
};
const besideTilde: Kinds = {
  punctuation: `(?:(?![${wide}])[\\p{P}\\p{S}])`,
  other: `(?:(?![${wide}])[^\\s\\p{P}\\p{S}])`,
};

/**
 * The ends of emphasis as the parser looks for them, by what stands on both sides of the marks. Its groups: 1 and 2 can
 * only close, 3 and 4 can only open, 5 and 6 can do both. A wide character on one side lets marks do both.
 * @param start text without marks, which the parser takes first
 * @param not what is no such mark
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

/** Between letters, blanks and punctuation of other scripts these say what the parser's own rules say. */
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

/** Behind a wide character marks open whatever follows. */
const behindWide = {
  ...besideWide,
  emStrongLDelim: /^\*+(?:(?!)()|([^\s*]))?/u,
  delLDelim: /^~~?(?:(?!)()|[^\s~])/u,
} satisfies Partial<Rules["inline"]>;

/** Ends a web address: full-width punctuation, quotation marks, an ellipsis and a dash. */
const endOfAddress =
  /[\u2014\u2018-\u201d\u2026\u3001-\u3003\u3008-\u3011\u3014-\u301f\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff3f\uff40\uff5b-\uff65]/;
/**
 * A wide letter that does not belong to an address: behind a letter or digit, and at the beginning of the path. Behind
 * other signs and other wide letters it does: `/wiki/\u4e2d\u6587`.
 */
const wordBehindAddress = new RegExp(`(?<=[A-Za-z0-9]|^(?:\\w+:\\/\\/)?[^/]*\\/)(?![^\\p{L}])[${wide}]`, "u");

/** Where an address without a scheme may begin: behind a wide character as well. */
const beginningOfHost = String.raw`(?<![^\s*_~(`;

/** The parser's rules, and those for marks beside and behind wide characters. */
interface RuleSets {
  readonly plain: Rules;
  readonly beside: Rules;
  readonly behind: Rules;
}

/** The parser's reading of text in a line, with what Chinese, Japanese and Korean need. */
export class ChatTokenizer extends Tokenizer {
  #sets: RuleSets | undefined;

  override emStrong(source: string, masked: string, before = ""): Tokens.Em | Tokens.Strong | undefined {
    // Underscores stand inside names, also of Chinese words: they keep the parser's rules.
    this.rules = source.startsWith("*") ? this.#rulesFor(source, masked) : this.#ruleSets.plain;
    return super.emStrong(source, masked, before);
  }

  override del(source: string, masked: string, before = ""): Tokens.Del | undefined {
    if (source.startsWith("~")) this.rules = this.#rulesFor(source, masked);
    return super.del(source, masked, before);
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

  /** The lexer gives its rules only after it has been given this. */
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

/** The character ahead of a row of marks, without what only chooses its form. */
function characterBefore(source: string, masked: string): string {
  let end = masked.length - source.length;
  while (end > 0 && masked[end - 1] === source[0]) end -= 1;
  const ahead = masked.slice(Math.max(0, end - 4), end).replace(/[\ufe00-\ufe0e\u{e0100}-\u{e01ef}]+$/u, "");
  return Array.from(ahead).at(-1) ?? "";
}
