import type { KeyMend } from "../../client/failure/failure.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";

/**
 * Finds the key in a text with other contents: a command, a settings file, code, an email. Searches by name first, then
 * by form. If several words could be the key, none of them is chosen.
 */

/** A value after a name, such as `K` in `API_KEY="K" # prod`. */
export interface NamedValue {
  readonly value: string;
  readonly mend: KeyMend;
  /** Start and end offset of the whole pair. */
  readonly start: number;
  readonly end: number;
}

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "\u201c": "\u201d",
  "\u201e": "\u201c",
  "\u2018": "\u2019",
  "\u201a": "\u2018",
  "\u00ab": "\u00bb",
  "\u2039": "\u203a",
  "\u300c": "\u300d",
  "\u300e": "\u300f",
  "\uff02": "\uff02",
};

const namePattern = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_.$\-]*`;
/**
 * A name with the separator before its value: `API_KEY=`, `"apiKey": `, `Clé API : `, `("x-api-key", `, `setApiKey(`.
 */
const pair = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?<name>${namePattern}(?:[^\S\r\n]+[\p{L}\p{N}_.$\-()/]+){0,5}|\p{Extended_Pictographic})` +
    String.raw`(?:["'\u0060\u201d\u2019\u300d]?\]?\s*(?:=>|->|\u2192|:=|\?=|[:=\uff1a\uff1d\ufe55])|["'\u0060]\s*,(?=\s*["'\u0060])|\(?(?=\s*["'\u0060]))[^\S\r\n]*`,
  "gu",
);
/** `--api-key K`, `setx API_KEY K`, `set -gx API_KEY K`, `ENV API_KEY K`. */
const spaced =
  /(?:(?<=^|\s)--?|\b(?:setx|setenv|ENV|set\s+-\w+)\s+)(?<name>[A-Za-z_][\w-]*)[^\S\r\n]+(?=[^\s=:-])/g;
/** `name: API_KEY` followed by `value: K`, as in container settings. Also matches the same XML attributes. */
const listed =
  /\b(?:name|key|variable)["']?\s*[:=]\s*["']?(?<name>[A-Za-z_][\w.-]*)["']?\s*,?\s*["']?value["']?\s*[:=]\s*/gi;
/** An XML element such as `<apiKey>K</apiKey>`, or `<key>apiKey</key><string>K</string>` in a property list. */
const property =
  /<key>(?<name>[^<>]+)<\/key>\s*<string>|<(?<tag>[A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>(?=[^<>]+<\/\k<tag>>)/g;
/** `curl -u K:`, with the key as user name or as password. */
const login = /(?:(?<=^|\s)(?:-u|--user)[\s=]+["']?)(?<user>[^\s:"']+):(?<password>[^\s"']*)/g;

/** Returns all values in a text whose names indicate a key. */
export function namedValues(text: string): readonly NamedValue[] {
  const found: NamedValue[] = [];
  const taken = (at: number): boolean => found.some(({ start, end }) => at >= start && at < end);
  for (const pattern of [listed, property, login, pair, spaced]) {
    for (const match of text.matchAll(pattern)) {
      if (taken(match.index)) continue;
      const read = pattern === login ? readLogin(match) : readPair(text, match);
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

/** `getSecret("acme")`: the argument is the name of a key, not the key. */
const readsNamedKey = /(?:^|[.\s])(?:get|load|read|fetch|find|has)(?=[A-Z_])\w*$/;
const endsAsName = /(?<!^secret-)(?:key|token|secret|authorization|password|bearer)$/i;

function readPair(text: string, match: RegExpExecArray): NamedValue | undefined {
  const { name: named } = match.groups ?? {};
  const label = named ?? match[0].replace(/[\s\S]*?<(?:key>)?([^<>]+)[\s\S]*/, "$1");
  const from = match.index + match[0].length;
  if (!isKeyName(label) || readsNamedKey.test(label)) return undefined;
  // In a text without spaces, a name that only starts like a key's name may be part of the key.
  if (/[\w-]:$/.test(match[0]) && /^[\w-]/.test(text.slice(from)) && !endsAsName.test(label))
    return undefined;
  // In `{"token_type": "bearer", "expires_in": 60}`, the value `bearer` is not the name of the next value.
  if (/,\s*$/.test(match[0]) && /[:=]\s?["'`]$/.test(text.slice(Math.max(0, match.index - 3), match.index)))
    return undefined;
  const isMarkup = match[0].startsWith("<");
  const [value, end] = isMarkup ? readUntilTag(text, from) : readValue(text, from);
  if (value === "") return undefined;
  return { value, mend: isMarkup ? "markup" : mendFor(text, label), start: match.index, end };
}

function readLogin(match: RegExpExecArray): NamedValue | undefined {
  const { user = "", password = "" } = match.groups ?? {};
  const isKeyInFront = password === "" || /^x$/i.test(password);
  if (!isKeyInFront && !isKeyName(user) && !/^(?:api|x|oauth2?|anystring)$/i.test(user)) return undefined;
  const value = isKeyInFront ? user : password;
  return { value, mend: "surroundings", start: match.index, end: match.index + match[0].length };
}

function mendFor(text: string, label: string): KeyMend {
  if (/^[{[]/.test(text.trim())) return "json";
  const last = label.split(/\s/).at(-1) ?? "";
  if (isKeyHeader(last) && !/[=(]/.test(text)) return "header-name";
  const isIdentifier = /^(?:(?:export|set|setx|let|const|var|setenv|env)\s+)?[\w$.-]+$/i.test(label);
  return isIdentifier ? "variable-name" : "label";
}

function readUntilTag(text: string, from: number): readonly [string, number] {
  const end = text.indexOf("<", from);
  const to = end === -1 ? text.length : end;
  return [text.slice(from, to), Math.max(to, text.indexOf(">", to) + 1)];
}

/** Reads the value at this offset: a quoted text, or one word after an optional scheme such as `Bearer`. */
function readValue(text: string, start: number): readonly [string, number] {
  // A string prefix, the start of a YAML block, or a line break before a line with only the value.
  const lead =
    /^(?:[fbru@$L]{1,2}(?=["'])|\$\{\w+:-|(?:[|>][+-]?)?[^\S\r\n]*[\r\n]+\s*(?=\S+[^\S\r\n]*(?:[\r\n]|$)))/i;
  const isAssigned = /[=(,]\s*$/.test(text.slice(0, start));
  const skipped = lead.exec(text.slice(start))?.[0] ?? "";
  const from = isAssigned && /[\r\n]/.test(skipped) ? start : start + skipped.length;
  const close = closing[text[from] ?? ""];
  if (close !== undefined) {
    const end = text.slice(from + 1).search(new RegExp(String.raw`${close}|[\r\n]|$`));
    return [text.slice(from + 1, from + 1 + end), from + 2 + end];
  }
  const rest = text.slice(from);
  const scheme = /^(?:(?:bearer|token|api-?key|key|basic)[^\S\r\n]+(?=\S))+/i.exec(rest)?.[0] ?? "";
  const word = /^\S*?(?=["'`\u201d\u2019](?:[\s,;)\]}>&|\\]|$)|["'`]?,["'`]|&(?:amp;)?[\w.-]+=|\s|$)/.exec(
    rest.slice(scheme.length),
  );
  const value = word?.[0] ?? "";
  // The next name, not a value.
  if (/[:=]$/.test(value) && !/={1,2}$/.test(value)) return ["", from];
  return [scheme + value, from + scheme.length + value.length];
}

/** Separators between a key and other words. Excludes characters that could belong to a key. */
const between =
  /[\s"'`,;()<>{}[\]|\u2018-\u201f\u00ab\u00bb\u2039\u203a\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Extended_Pictographic}]+/u;

/** Returns the words of a text that have the form of a key, without duplicates. */
export function keyShapedWords(text: string): readonly string[] {
  const words = text
    .split(between)
    .flatMap((word) =>
      /^[a-z][a-z0-9+.-]*:\/\//i.test(word) ? [] : [word, ...word.split(/[=&?]|(?<=^[A-Za-z]+):/)],
    )
    .map((word) => word.replace(/^[*_~.:=-]+|[*~.:!?]+$/g, ""))
    .filter((word) => looksLikeKey(word) && !/^[A-Z_]+$/.test(word));
  return [...new Set(words)];
}

/** Whether another word of the text could also be the key. */
export function hasRival(text: string, key: string): boolean {
  const prefix = prefixOf(key);
  return keyShapedWords(text).some(
    (word) =>
      !key.includes(word) &&
      !word.includes(key) &&
      (word.length === key.length || (prefix !== undefined && prefixOf(word) === prefix)),
  );
}

function prefixOf(key: string): string | undefined {
  return /^[A-Za-z]{2,8}[-_]/.exec(key)?.[0];
}

/** Whether letters and digits alternate more often than in names and versions. */
function isMixed(word: string): boolean {
  return /^[A-Za-z0-9]{12,}$/.test(word) && (word.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g) ?? []).length > 2;
}

/** Returns the only word with the form of a key, if the text mentions keys or separates the word clearly. */
export function onlyKeyIn(text: string): string | undefined {
  const shaped = keyShapedWords(text);
  const mixed = text
    .split(between)
    .map((word) => word.replace(/[.!?]$/, ""))
    .filter(isMixed);
  const [key, ...others] = shaped.length > 0 ? shaped : new Set(mixed);
  if (key === undefined || others.length > 0) return undefined;
  const [before = "", after = ""] = text.split(key);
  const isApart =
    /["'`|,\t]\s*$|\s[-\u2013\u2014]\s+$/.test(before) || /^\s*["'`|,\t]|^\s+[-\u2013\u2014]\s/.test(after);
  return speaksOfKey(before + after) || isApart ? key : undefined;
}

/** Names of HTTP headers that contain a key. */
const headerName =
  /^(?:proxy-)?authorization$|^(?:x-|xi-|ocp-apim-)?[\w-]*(?:api-?key|auth-?token|access-?token|subscription-key)$/i;

/** Last words of names such as `key_id` and `token_limit`, whose values are not keys. */
const endsOfOtherNames = new Set(
  (
    "id ids name names type count limit limits expires expiry expiration created updated prefix hint url uri " +
    "endpoint host scope scopes format length path file version usage model status"
  ).split(" "),
);

/** Words in names such as `public_key` and `max_token`, whose values are not secret. */
const wordsOfOtherNames = new Set(["public", "pub", "max", "min", "primary", "foreign", "sort"]);

const keyWord =
  /^(?:auth|pat)$|(?:key|token|secret|authorization|bearer|credentials?|password|passwd|passphrase)\d*$/;

/** Words for a key in other languages. They must match a whole word, because short ones may occur inside a key. */
const translatedWord = new RegExp(
  `^(?:${[
    "schl(?:ü|ue)ssel|\\p{L}+schl(?:ü|ue)ssel|geheimnis|cl[ée]s?|jeton|claves?|llave|secreto|chaves?|segredo|chiave|segreto",
    "sleutel|nyckel|nøgle|nøkkel|avain|kulcs|kl[íi]č|kľúč|klucz|cheie|ključ|anahtar[ıi]?|khóa|kunci|κλειδ[ίι]",
    "ключа?|токена?|секрет|מפתח|مفتاح|رمز|कुंजी|คีย์|กุญแจ",
  ].join("|")})$`,
  "iu",
);
/** Words for a key in scripts without spaces between words. */
const translatedSign =
  /キー|鍵|トークン|シークレット|[密秘金][钥鑰匙]|[秘暗]密|令牌|口令|키|토큰|비밀|[\u{1F511}\u{1F5DD}]/u;

function isKeyHeader(name: string): boolean {
  return headerName.test(name);
}

/** Whether a variable, field, header or label with this name contains a key: `ACME_API_KEY`, `apiKey`, `Clé API`. */
export function isKeyName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (endsOfOtherNames.has(last) || words.some((word) => wordsOfOtherNames.has(word))) return false;
  return translatedSign.test(name) || words.some(isKeyWord);
}

/** Whether a text mentions a key, in one of many languages. */
function speaksOfKey(text: string): boolean {
  return translatedSign.test(text) || wordsOf(text).some(isKeyWord);
}

function isKeyWord(word: string): boolean {
  return keyWord.test(word) || translatedWord.test(word);
}

function wordsOf(name: string): readonly string[] {
  return (
    name
      .normalize("NFKC")
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
      // Scripts without spaces between words also have none around English words.
      .replace(/(?<=[A-Za-z])(?=[^\p{Script=Latin}\P{L}])|(?<=[^\p{Script=Latin}\P{L}])(?=[A-Za-z])/gu, " ")
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== "")
  );
}
