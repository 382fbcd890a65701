import { Buffer } from "node:buffer";

/** Well-known prefixes of keys; they are not secret. */
const prefix = /^(?:sk|pk)[-_](?:(?:proj|test|demo|live|ant-api\d\d|or-v1)[-_])?/u;

const half = (key: string): number => Math.ceil(key.length / 2);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const escapeEach = (text: string, escape: (code: string) => string): string =>
  Array.from(text, (each) => escape(each.charCodeAt(0).toString(16).padStart(2, "0"))).join("");
const turn = (text: string): string => Array.from(text).toReversed().join("");
const masked =
  (mask: string, first = 6, last = 4): Way =>
  (key) =>
    key.replace(prefix, "").slice(0, first) + mask + key.slice(-last);

type Way = (key: string) => string;

/** How servers and gateways spell part of a key, so that the owner can identify the key. */
export const waysToSayKey: Readonly<Record<string, Way>> = {
  "without its prefix": (key) => key.replace(prefix, ""),
  "without its last character": (key) => key.slice(0, -1),
  "without its first character": (key) => key.slice(1),
  "its first half": (key) => key.slice(0, half(key)),
  "its second half": (key) => key.slice(half(key)),
  "its middle": (key) => key.slice(Math.floor(key.length / 3), Math.ceil((key.length * 2) / 3) + 2),
  "its last eight": (key) => `ending in ${key.slice(-8)}`,
  "its last six": (key) => `ending in ${key.slice(-6)}`,
  "its first six": (key) => `a key that starts with '${key.replace(prefix, "").slice(0, 6)}'`,
  "its end as a field": (key) => `{"key_suffix":"${key.slice(-6)}"}`,
  "masked with brackets": masked("[...]"),
  "masked with dots": masked("..."),
  "masked with an ellipsis": masked("\u2026"),
  "masked with an escaped ellipsis": masked("\\u2026"),
  "masked with stars": masked("*".repeat(20)),
  "masked with few stars": masked("**", 4, 7),
  "masked with bullets": masked("\u2022\u2022\u2022"),
  "masked with letters": masked("xxxx"),
  "masked with a word": masked("[REDACTED]"),
  "masked with a count": masked("<22 characters hidden>"),
  "masked with blanks": masked(" ... "),
  "its beginning masked": (key) => `${"*".repeat(key.length - 6)}${key.slice(-6)}`,
  "its end masked": (key) => `${key.replace(prefix, "").slice(0, 6)}***`,
  "both ends with its prefix": (key) => `${key.slice(0, 9)}...${key.slice(-4)}`,
  "with hyphens that do not break": (key) => key.replaceAll("-", "\u2011"),
  "with hyphens of print": (key) => key.replaceAll("-", "\u2010").slice(0, -2),
  "with dashes as escapes": (key) => key.replaceAll("-", "\\u2013").slice(2),
  "in full width": (key) =>
    Array.from(key.slice(4), (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0)).join(""),
  "turned around": turn,
  "half turned around": (key) => turn(key.slice(half(key))),
  "half in capitals": (key) => key.slice(half(key) - 2).toUpperCase(),
  "half in base64": (key) => base64(key.slice(half(key) - 2)),
  "a part in base64 of more": (key) => base64(`{"key":"${key.slice(5, -3)}"}`),
  "half in hexadecimal": (key) => Buffer.from(key.slice(half(key) - 1)).toString("hex"),
  "its ends in quotes": (key) => `"${key.replace(prefix, "").slice(0, 7)}" ... "${key.slice(-7)}"`,
  "half encoded for a URL": (key) => escapeEach(key.slice(half(key)), (code) => `%${code}`),
  "half escaped for JSON": (key) => escapeEach(key.slice(half(key)), (code) => `\\u00${code}`),
  "half escaped for a page": (key) => escapeEach(key.slice(half(key)), (code) => `&#x${code};`),
  "half broken by blanks": (key) => key.slice(half(key) - 4).replaceAll(/.{3}/gu, "$& "),
  "half broken by zero width": (key) => key.slice(half(key) - 4).replaceAll(/.{2}/gu, "$&\u200b"),
};

/** One sentence that contains the key in every spelling. */
export function sayKey(key: string): string {
  const said = Object.entries(waysToSayKey).map(([name, say]) => `${name}: ${say(key)}`);
  return `Incorrect API key provided; ${said.join("; ")}.`;
}

/** The spellings that are valid in a header. */
export function sayKeyInHeader(key: string): readonly string[] {
  return Object.values(waysToSayKey)
    .map((say) => say(key))
    .filter((said) => /^[\w.:/=+@-]{1,200}$/u.test(said));
}

/**
 * Finds the parts of a key that a text reveals: 8 characters or more in a row, or 6 beside a mask. Ignores spaces
 * and invisible characters, and decodes other spellings. Skips 8 letters in a row: they may be a word.
 * Deliberately independent of the product's own detection.
 */
export function piecesIn(shown: string, key: string): readonly string[] {
  const decoded = decode(shown);
  const texts = [shown, decoded, ...inBase64(decoded), ...inHexadecimal(decoded)].map(fold);
  const isShown = (piece: string, besideMask: boolean): boolean =>
    texts.some((text) => stands(text, piece, besideMask));
  return [...new Set([...tellingPieces(key, 8), ...tellingPieces(key, 6)])].filter((piece) =>
    isShown(piece, piece.length === 6),
  );
}

/**
 * Pieces of 8 characters, in both directions. Any 10 consecutive characters of the key after its prefix contain at
 * least one of these pieces.
 */
export function samplePieces(key: string): readonly string[] {
  const prefixLength = prefix.exec(key)?.[0].length ?? 0;
  const starts = Array.from({ length: key.length }, (_none, start) => start).filter(
    (start) =>
      start >= prefixLength && start + 8 <= key.length && (start % 3 === 0 || start + 8 === key.length),
  );
  return starts.map((start) => key.slice(start, start + 8)).flatMap((piece) => [piece, turn(piece)]);
}

/** All pieces of this length, in both directions, that go beyond the prefix. Leaves out 8 letters in a row. */
function tellingPieces(key: string, length: number): readonly string[] {
  const prefixLength = prefix.exec(key)?.[0].length ?? 0;
  const pieces: string[] = [];
  for (let start = 0; start + length <= key.length; start += 1) {
    const piece = fold(key.slice(start, start + length));
    const isWord = length === 8 && /^[a-z]*$/u.test(piece);
    if (start + length > prefixLength && !isWord) pieces.push(piece, turn(piece));
  }
  return pieces;
}

const maskBefore =
  /(?:\*\*|\.\.\]?|\u2022|xxx|\[redacted\]|hidden>|(?:endingin|startswith)'?|suffix":"|\.\.")$/u;
const maskBehind = /^"?(?:\*\*|\[?\.\.|\u2022|xxx|\[redacted|<\d+char)/u;

function stands(text: string, piece: string, besideMask: boolean): boolean {
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) {
    const end = at + piece.length;
    if (!besideMask) return true;
    if (maskBefore.test(text.slice(Math.max(0, at - 12), at)) || maskBehind.test(text.slice(end, end + 12)))
      return true;
  }
  return false;
}

function decode(text: string): string {
  return [/%([0-9a-f]{2})/giu, /&#x([0-9a-f]{1,4});/giu, /\\+u([0-9a-f]{4})/giu].reduce(
    (read, escape) =>
      read.replaceAll(escape, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
    text,
  );
}

function inBase64(text: string): readonly string[] {
  return [...text.matchAll(/[\w+/-]{10,}/gu)].flatMap(([run]) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), "base64").toString("latin1")),
  );
}

function inHexadecimal(text: string): readonly string[] {
  return [...text.matchAll(/[\da-f]{16,}/giu)].flatMap(([run]) =>
    [0, 1].map((skip) => Buffer.from(run.slice(skip), "hex").toString("latin1")),
  );
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\s\u00ad\u200b]|\\n/gu, "")
    .replaceAll(/[\u2010-\u2015]/gu, "-")
    .toLowerCase();
}
