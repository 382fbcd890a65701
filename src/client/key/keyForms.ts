/** One way to read a text at an offset: a character with a spelling that ends at `end`. */
interface SpelledCharacter {
  /** Lower-case ASCII. */
  readonly character: string;
  readonly end: number;
}

/** All ways to read a text at one offset. `skips` are the ends of ignorable text between two characters. */
export interface Spellings {
  readonly characters: readonly SpelledCharacter[];
  readonly skips: readonly number[];
}

/** A form of a key: plain, reversed, hexadecimal or base64. A piece of the form reveals a piece of the key. */
export interface KeyForm {
  readonly text: string;
  /** Alternative characters that a text may use for a character of the form. */
  readonly otherCharacters?: ReadonlyMap<string, string>;
  /** Returns the range of the key that the characters `from` to `to` of the form reveal. */
  readonly rangeOf: (from: number, to: number) => readonly [start: number, end: number];
}

/** Returns the forms in which a piece of a key may occur, before escaping. */
export function formsOfKey(key: string): readonly KeyForm[] {
  const { length } = key;
  const reversed = Array.from(key).toReversed().join("");
  return [
    { text: key, rangeOf: (from, to) => [from, to] },
    { text: reversed, rangeOf: (from, to) => [length - to, length - from] },
    {
      text: Buffer.from(key, "latin1").toString("hex"),
      rangeOf: (from, to) => [Math.ceil(from / 2), Math.floor(to / 2)],
    },
    ...[0, 1, 2].map((offset) => base64Form(key, offset)),
  ];
}

const base64ForUrls: ReadonlyMap<string, string> = new Map([
  ["+", "-"],
  ["/", "_"],
]);

/** Returns the base64 form for one of three alignments of the key within a group of three bytes. */
function base64Form(key: string, offset: number): KeyForm {
  const encoded = Buffer.from(" ".repeat(offset) + key, "latin1")
    .toString("base64")
    .replace(/=+$/, "");
  // The first and last character may contain bits of the surrounding text.
  const first = [0, 2, 3][offset] ?? 0;
  const end = (offset + key.length) % 3 === 0 ? encoded.length : encoded.length - 1;
  return {
    text: encoded.slice(first, end),
    otherCharacters: base64ForUrls,
    rangeOf: (from, to) => [
      Math.max(0, Math.floor(((first + from) * 6) / 8) - offset),
      Math.min(key.length, Math.ceil(((first + to) * 6) / 8) - offset),
    ],
  };
}

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    shy: "\u00ad",
    zwj: "\u200d",
    zwnj: "\u200c",
    ensp: " ",
    emsp: " ",
    thinsp: " ",
    tab: "\t",
    newline: "\n",
    hyphen: "-",
    dash: "-",
    ndash: "-",
    mdash: "-",
    minus: "-",
    lowbar: "_",
    underbar: "_",
    period: ".",
    plus: "+",
    equals: "=",
    sol: "/",
    bsol: "\\",
    colon: ":",
    semi: ";",
    comma: ",",
    excl: "!",
    quest: "?",
    num: "#",
    dollar: "$",
    percnt: "%",
    commat: "@",
    ast: "*",
    lpar: "(",
    rpar: ")",
    lsqb: "[",
    lbrack: "[",
    rsqb: "]",
    rbrack: "]",
    lcub: "{",
    lbrace: "{",
    rcub: "}",
    rbrace: "}",
    verbar: "|",
    vert: "|",
    hat: "^",
    grave: "`",
  }),
);

const hyphens = /^[\u00ad\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]$/;
const quotes: ReadonlyMap<string, string> = new Map([
  ["\u2018", "'"],
  ["\u2019", "'"],
  ["\u201c", '"'],
  ["\u201d", '"'],
]);

/** Characters that may separate two characters of a key in wrapped or formatted text. */
const skipped = /^[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\ufe00-\ufe0f]$/u;

/** Matches a backslash, which may itself be escaped. */
const backslash = String.raw`(?:\\|%(?:25){0,3}5c|&(?:amp;){0,3}(?:#92|#x5c|bsol);)`;
const jsonEscape = new RegExp(
  String.raw`${backslash}(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))`,
  "iy",
);
const spelledLineEnd = new RegExp(`${backslash}[nrtfv]`, "iy");
const urlEscape = /%(?:25){0,3}([0-9a-f]{2})/iy;
const urlUnicode = /%u([0-9a-f]{4})/iy;
const urlBytes = /%(?:25){0,3}[c-f][0-9a-f](?:%(?:25){0,3}[89ab][0-9a-f]){1,3}/iy;
const entity = /&(?:amp;){0,3}(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/iy;
const breakOfPage = /(?:<|%3c|&lt;)w?br\s{0,8}\/?(?:>|%3e|&gt;)/iy;

const beginsEscape = new Set(["\\", "%", "&", "<"]);

/** Whether a character code has only one reading: itself. Most characters need no further reading. */
export function standsForItself(code: number): boolean {
  // Visible ASCII, except for `\`, `%`, `&` and `<`.
  return code > 0x20 && code < 0x7f && code !== 0x5c && code !== 0x25 && code !== 0x26 && code !== 0x3c;
}

/** Maximum number of cached characters. A text rarely has more different characters. */
const maxKnown = 4096;

/**
 * Reads characters as servers and gateways forward them: unchanged, in another case, or with other hyphens. Also reads
 * them escaped for JSON, URLs or HTML, or broken by spaces or line ends.
 */
export class SpellingReader {
  /** Cache for non-ASCII characters, because normalizing them is slow. */
  readonly #known = new Map<string, Spellings>();

  /** @param at an offset below the text length, at a character that is not `standsForItself` */
  read(text: string, at: number): Spellings {
    const character = text.charAt(at);
    if (beginsEscape.has(character)) return this.#readEscapes(text, at, character);
    const whole = String.fromCodePoint(text.codePointAt(at) ?? 0);
    let known = this.#known.get(whole);
    if (known === undefined) {
      if (this.#known.size === maxKnown) this.#known.clear();
      this.#known.set(whole, (known = spell(whole)));
    }
    return placed(known, at + whole.length);
  }

  #readEscapes(text: string, at: number, character: string): Spellings {
    const found = [placed({ ...spell(character), ...noSkip }, at + 1)];
    const take = (read: string | undefined, end: number): void => {
      if (read !== undefined) found.push(placed(spell(read), end));
    };
    const skip = (end: number): void => void found.push({ characters: [], skips: [end] });
    const pageBreak = matchAt(breakOfPage, text, at);
    if (pageBreak !== undefined) skip(pageBreak.end);
    const spelled = matchAt(spelledLineEnd, text, at);
    if (spelled !== undefined) skip(spelled.end);
    const escape = matchAt(jsonEscape, text, at);
    if (escape !== undefined) take(characterOf(escape.groups, 16), escape.end);
    if (character === "\\") {
      // Skip the backslash of an escape. Some texts repeat it.
      skip(at + 1);
    } else if (character === "%") {
      const single = matchAt(urlEscape, text, at);
      if (single !== undefined) this.#takeUrlEscape(single, at, take, skip);
      const unicode = matchAt(urlUnicode, text, at);
      if (unicode !== undefined) take(characterOf(unicode.groups, 16), unicode.end);
      const bytes = matchAt(urlBytes, text, at);
      if (bytes !== undefined) take(decodeBytes(text.slice(at, bytes.end)), bytes.end);
    } else if (character === "&") {
      const match = matchAt(entity, text, at);
      if (match !== undefined) {
        const [decimal, hexadecimal, name] = match.groups;
        const named = name === undefined ? undefined : entities.get(name.toLowerCase());
        const read = named ?? characterOf([decimal], 10) ?? characterOf([hexadecimal], 16);
        take(read, match.end);
        if (read === "\\") skip(match.end);
      }
    }
    return {
      characters: found.flatMap(({ characters }) => characters),
      skips: found.flatMap(({ skips }) => skips),
    };
  }

  /** Reads a URL escape. `%25` is a percent sign, or the start of a doubly escaped character. */
  #takeUrlEscape(
    { groups, end }: Match,
    at: number,
    take: (read: string | undefined, end: number) => void,
    skip: (end: number) => void,
  ): void {
    const read = characterOf(groups, 16);
    take(read, end);
    if (read === "\\") skip(end);
    for (let percent = at + 3; percent < end; percent += 2) take("%", percent);
  }
}

interface Match {
  readonly groups: readonly (string | undefined)[];
  readonly end: number;
}

function matchAt(pattern: RegExp, text: string, at: number): Match | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { groups: match.slice(1), end: pattern.lastIndex };
}

function characterOf(groups: readonly (string | undefined)[], radix: number): string | undefined {
  const digits = groups.find((group) => group !== undefined);
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits, radix);
  return code >= 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}

function decodeBytes(escapes: string): string {
  const hexadecimal = escapes.replaceAll(/%(?:25){0,3}/gi, "");
  return String.fromCodePoint(Buffer.from(hexadecimal, "hex").toString("utf8").codePointAt(0) ?? 0);
}

const noSkip = { skips: [] } as const;

/** Returns the readings of a character, without its offset. */
function spell(character: string): Spellings {
  const isSkipped = skipped.test(character);
  const stands = hyphens.test(character)
    ? "-"
    : (quotes.get(character) ?? character.normalize("NFKC")).toLowerCase();
  const isOne = stands.length === 1 && stands > " " && stands < "\u007f";
  return { characters: isOne ? [{ character: stands, end: 0 }] : [], skips: isSkipped ? [0] : [] };
}

function placed({ characters, skips }: Spellings, end: number): Spellings {
  return {
    characters: characters.map(({ character }) => ({ character, end })),
    skips: skips.map(() => end),
  };
}
