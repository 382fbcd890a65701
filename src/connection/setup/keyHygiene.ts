/**
 * The problems of a pasted key, and the corrected key. Sources: wire.md ("Keys, before anything is sent"), and the
 * specification, sections 5.2 and 5.7.
 */
import type { KeyMend, KeyProblem } from "../../client/failure/failure.ts";
import { hasRival, keyShapedWords, namedValues, onlyKeyIn, isKeyName } from "../exposedKeys/keyInText.ts";

export type KeyReading =
  | { readonly kind: "clean"; readonly key: string }
  /** `key` is the corrected key. The user should confirm it before use. */
  | { readonly kind: "mended"; readonly key: string; readonly mends: readonly KeyMend[] }
  | { readonly kind: "unusable"; readonly problem: KeyProblem };

interface Mender {
  readonly mend: KeyMend;
  readonly apply: (text: string, steps: Steps) => string;
}

/** Maximum UTF-16 units. Nobody pastes more text to enter a key. */
const maxTextLength = 10_000;
/** Maximum number of layers to remove. */
const maxSteps = 300;
/** Minimum UTF-16 units of a value after a name. Shorter values only occur in examples. */
const minNamedLength = 8;

/** Characters to remove from the edges of any text. */
const edges: readonly (Mender & { readonly apply: (text: string) => string })[] = [
  // Zero-width characters, BOM, soft hyphen, bidirectional controls: copied from web pages.
  {
    mend: "invisible",
    apply: (text) =>
      text.replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g, ""),
  },
  {
    mend: "line-break",
    apply: (text) =>
      text.replace(
        /(?:[\r\n\u0085\u2028\u2029]|\\r\\n|\\[nr](?=\\|["'`,;\s]|$)|(?:%0d)?%0a$)+$|^(?:[\r\n\u0085\u2028\u2029]|\\r\\n|\\n)+/gi,
        "",
      ),
  },
  {
    mend: "blank-around",
    apply: (text) => text.replace(/^(?:[^\S\r\n]|&nbsp;|%20)+|(?:[^\S\r\n]|&nbsp;|%20|\\t$)+$/g, ""),
  },
  { mend: "quotes", apply: unescapeQuotes },
];

/** Each step removes one layer around a key. After the first step with an effect, all steps run again. */
const layers: readonly Mender[] = [
  { mend: "markup", apply: withoutMarkup },
  { mend: "quotes", apply: unquote },
  { mend: "header-name", apply: (text) => text.replace(/^(?:authorization|x-api-key)\s*[:=]\s*/i, "") },
  { mend: "bearer", apply: (text) => text.replace(/^bearer(?:\s+|:\s*|%20|$)/i, "") },
  { mend: "variable-name", apply: withoutVariableName },
  { mend: "label", apply: withoutLabel },
  { mend: "quotes", apply: withoutPunctuation },
  { mend: "surroundings", apply: withoutComment },
];

/** Reads a pasted or configured key. Never throws. Problems and mends never contain the key. */
export function readKey(pasted: string): KeyReading {
  return pasted.length > maxTextLength ? unusable("prose") : readLayers(pasted, { left: maxSteps });
}

/** The remaining steps for a text and all texts inside it. */
interface Steps {
  left: number;
}

function readLayers(pasted: string, steps: Steps): KeyReading {
  const mends = new Set<KeyMend>();
  let text = pasted;
  for (let before: string | undefined; before !== text;) {
    steps.left -= 1;
    if (steps.left < 0) return unusable("prose");
    before = text;
    text = withoutEdges(text, mends);
    const found = isCookie(text) ? undefined : (keyInAddress(text, steps) ?? keyByName(text, steps));
    if (found?.kind === "unusable") return found;
    if (found !== undefined) {
      for (const mend of found.mends) mends.add(mend);
      text = found.key;
      continue;
    }
    if (!isCookie(text)) text = withoutLayer(text, mends, steps);
    if (text !== before) continue;
    // No layers are left, so any remaining problem belongs to the key itself.
    const last = lastReading(text);
    if (last.kind === "unusable") return last;
    if (last.kind === "mended") for (const mend of last.mends) mends.add(mend);
    text = last.key;
  }
  return mends.size === 0 ? { kind: "clean", key: text } : { kind: "mended", key: text, mends: [...mends] };
}

function withoutEdges(pasted: string, mends: Set<KeyMend>): string {
  return edges.reduce((text, { mend, apply }) => {
    const after = apply(text);
    if (after !== text) mends.add(mend);
    return after;
  }, pasted);
}

function withoutLayer(text: string, mends: Set<KeyMend>, steps: Steps): string {
  for (const { mend, apply } of layers) {
    const after = apply(text, steps);
    if (after === text) continue;
    mends.add(mend);
    return after;
  }
  return text;
}

function unusable(problem: KeyProblem): KeyReading {
  return { kind: "unusable", problem };
}

function mended(key: string, ...mends: readonly KeyMend[]): KeyReading & { readonly kind: "mended" } {
  return { kind: "mended", key, mends };
}

type Found = Exclude<KeyReading, { readonly kind: "clean" }>;

/** Returns the key in the query parameters of a URL, or the URL's problem. Returns undefined for other texts. */
function keyInAddress(text: string, steps: Steps): Found | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { searchParams } = new URL(text);
  const values = new Set([...searchParams].flatMap(([name, value]) => (isKeyName(name) ? [value] : [])));
  const [value, ...others] = values;
  if (value === undefined) return { kind: "unusable", problem: "url" };
  if (others.length > 0) return { kind: "unusable", problem: "several" };
  const reading = readLayers(value, steps);
  if (reading.kind === "unusable") return reading;
  return mended(reading.key, "surroundings", ...(reading.kind === "mended" ? reading.mends : []));
}

/** Returns the only named key of a text with its mends, or a problem. Returns undefined if the text names no key. */
function keyByName(text: string, steps: Steps): Found | undefined {
  const keys = new Map<string, readonly KeyMend[]>();
  let problem: KeyProblem | undefined;
  for (const { value, mend, start, end } of namedValues(text)) {
    const reading = value.length < text.length ? readLayers(value, steps) : unusable("prose");
    if (reading.kind === "unusable") {
      if (reading.problem === "several") return { kind: "unusable", problem: "several" };
      if (reading.problem !== "prose" && reading.problem !== "not-ascii") problem ??= reading.problem;
    } else if (isFitToBeNamed(reading.key)) {
      const around = `${text.slice(0, start)} ${text.slice(end)}`.replace(/[\s"'`{}[\]()<>,;]/g, "");
      const more: readonly KeyMend[] = around === "" || mend === "json" ? [] : ["surroundings"];
      const inner = reading.kind === "mended" ? reading.mends : [];
      keys.set(reading.key, [mend, ...inner, ...more]);
    }
  }
  const [first, ...others] = keys;
  if (first === undefined) {
    const only = problem === "empty" ? onlyKeyIn(text) : undefined;
    if (only !== undefined) return mended(only, "surroundings");
    return problem && { kind: "unusable", problem };
  }
  const [key, mends] = first;
  return others.length > 0 || hasRival(text, key)
    ? { kind: "unusable", problem: "several" }
    : mended(key, ...mends);
}

/** Returns false for a short text, a plain word, a variable's name, a number, or a path. */
function isFitToBeNamed(key: string): boolean {
  return (
    key.length >= minNamedLength &&
    !/^(?:[a-z]{1,15}|[A-Z]{1,15}|[A-Z]+(?:_[A-Z]+)+|[\d.,]+|\w+\/[\w.+-]+)$/.test(key)
  );
}

/** Reads a text without further layers, which may still consist of several words. */
function lastReading(text: string): KeyReading {
  const pieces = text.split(/[\s,;|]+/).filter((piece) => piece !== "");
  const [first = "", ...others] = pieces;
  if (others.length > 0 && first.length >= minNamedLength && others.every((piece) => piece === first))
    return mended(first, "surroundings");
  if (isSeveral(pieces)) return unusable("several");
  if (/[\s\P{ASCII}]|^[\w.]+\(["'`]/u.test(text) || keyShapedWords(text).length > 1) {
    const key = onlyKeyIn(text);
    if (key !== undefined) return mended(key, "surroundings");
    if (keyShapedWords(text).length > 1) return unusable("several");
  }
  const problem = problemOf(text);
  if (problem !== undefined) return unusable(problem);
  if (!/\s/.test(text)) return { kind: "clean", key: text };
  // A space or line break inside a key comes from a wrapped line or a double click.
  return mended(text.replace(/\s+/g, ""), /[\r\n]/.test(text) ? "line-break" : "blank-inside");
}

/** Pieces of one key differ in length and prefix. Several keys of one kind have the same length or prefix. */
function isSeveral(pieces: readonly string[]): boolean {
  const [first = ""] = pieces;
  if (pieces.length < 2 || first.length < 16) return false;
  const prefix = /^[A-Za-z]{2,8}[-_]/.exec(first)?.[0];
  return (
    pieces.every((piece) => piece.length === first.length) ||
    (prefix !== undefined && pieces.slice(1).some((piece) => piece.startsWith(prefix)))
  );
}

const quotePairs: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["`", "\u00b4"],
  ["\u00b4", "\u00b4"],
  ["\u201c", "\u201d"],
  ["\u201d", "\u201d"],
  ["\u201e", "\u201c"],
  ["\u201e", "\u201d"],
  ["\u2018", "\u2019"],
  ["\u2019", "\u2019"],
  ["\u201a", "\u2018"],
  ["\u00ab", "\u00bb"],
  ["\u00bb", "\u00ab"],
  ["\u2039", "\u203a"],
  ["\u203a", "\u2039"],
  ["\u300c", "\u300d"],
  ["\u300e", "\u300f"],
  ["\u300a", "\u300b"],
  ["\u3008", "\u3009"],
  ["\u3010", "\u3011"],
  ["\uff08", "\uff09"],
  ["\uff3b", "\uff3d"],
  ["\uff02", "\uff02"],
  ["\uff07", "\uff07"],
  ["\u301d", "\u301e"],
  ["<", ">"],
  ["(", ")"],
  ["[", "]"],
];

/** Removes a pair of quotes, or an unpaired quote. */
function unquote(text: string): string {
  // Punctuation may follow the quotes: `"K".`
  const sentence = /^(["'`\u2018-\u201f\u00ab\u300c]\S*["'`\u2018-\u201f\u00bb\u300d])[.!?:\u3002\uff01]+$/;
  const quoted = sentence.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  for (const [open, close] of quotePairs) {
    const inner = text.slice(1, -1);
    if (text.length < 2 || !text.startsWith(open) || !text.endsWith(close)) continue;
    if (!/[<([]/.test(open) || !(inner.includes(open) || inner.includes(close))) return inner;
  }
  return text.replace(
    /^["'`\u00b4\u2018-\u201f\u00ab\u2039\u300c\u300e\uff02\uff07]+|["'`\u00b4\u2018-\u201f\u00bb\u203a\u300d\u300f\uff02\uff07]+$/g,
    "",
  );
}

/** Decodes quotes that are escaped in nested JSON or in HTML. */
function unescapeQuotes(text: string): string {
  const plain = text.replace(/&(?:quot|#34|#x22);/gi, '"').replace(/&(?:apos|#39|#x27);/gi, "'");
  const tags = plain.replace(/^&lt;(.*)&gt;$/is, "<$1>");
  return /^\{?\s*\\["']|\\["']\s*[:,}]|\\["']$/.test(tags) ? tags.replace(/\\(["'])/g, "$1") : tags;
}

/** Removes one layer of Markdown or HTML, a list mark, a shell prompt, or the lines of a table. */
function withoutMarkup(text: string): string {
  return text
    .replace(/^(?:```|~~~)[\w-]*[^\S\r\n]*\r?\n([\s\S]*?)\s*(?:(?:```|~~~)\s*)?$/, "$1")
    .replace(/^```([^`]+)```$/, "$1")
    .replace(/^(\*{1,3}|~{1,2}|\|\||__(?=[^_]+(?:_[^_]+)*__$))([^\s*~|](?:.*[^\s*~|])?)\1$/s, "$2")
    .replace(/^!?\[([^\]\s]{8,})\]\([^)\s]*\)$/, "$1")
    .replace(/^<(?!\/)[A-Za-z][\w:-]*(?:\s[^<>]*)?>\s*([^<>]*?)\s*<\/[A-Za-z][\w:-]*>$/, "$1")
    .replace(/^(?:<!--\s*([^<>]*?)\s*-->|\/\*\s*([^*]*?)\s*\*\/)$/, "$1$2")
    .replace(/^(?:<!--[^<>]*-->|\/\*[^*]*\*\/)\s*(?=\S)/, "")
    .replace(/^<!\[CDATA\[(.*)\]\]>$/s, "$1")
    .replace(/^<(?:br|p|code|b|span|div|td|pre)\s*\/?>|<\/?(?:br|p|code|b|span|div|td|pre)\s*\/?>$/gi, "")
    .replace(
      /^(?:[-*+\u2022\u2023\u25e6\u2013\u2014>#$%|\u276f\u279c]|#{2,6}|\/\/|--|;|REM|\d{1,2}[.)])\s+(?=\S)|\s+[|]$/g,
      "",
    );
}

/** Returns the value assigned to a name in a script or settings file. Returns `""` if the value is empty. */
function withoutVariableName(text: string): string {
  return (
    text
      .replace(
        /^(?:(?:export|set|setx|let|const|var)\s+|\$env:)[A-Za-z_][A-Za-z0-9_]*\s*=\s*(?=[^=\s]|$)/,
        "",
      )
      // Text must follow the `=`, because a base64 key may end with `=`. A name with digits must be in upper case, or
      // have a space or a quoted value after it.
      .replace(
        /^(?:[A-Za-z_]+|[A-Z][A-Z0-9_]*|[A-Za-z_][A-Za-z0-9_]*(?=\s*=\s|\s|=["']))\s*=\s*(?=[^=\s]{8}|["'][^"'])/,
        "",
      )
      .replace(/^[A-Za-z0-9_]*(?:key|token|secret)\s*[+:?]?=\s*(?=[^=\s])/i, "")
      .replace(/^[A-Z0-9_]*(?:KEY|TOKEN|SECRET)\s*=$/, "")
      .replace(/^[A-Z_]+\s*=\s*(?:""|'')$/, "")
      .replace(/^(?:setx|set\s+-[a-z]+)\s+[A-Za-z_][A-Za-z0-9_]*(?:\s+(.*?)(?:\s+\/m)?)?$/is, "$1")
      .replace(/^(?:api[ _-])?[\w-]*(?:key|token|secret):(?:\s+|$)/i, "")
  );
}

/** `Acme: K`, `密钥：K`, `Clé API : K`, `:K`, `Token K`. Removes a label only if a single key follows. */
function withoutLabel(text: string, steps: Steps): string {
  if (/^(?:[:\uff1a\uff1d]\s*|=\s+|=(?=[\w.-]+$|["'`]))\S{8}/.test(text))
    return text.replace(/^[:=\uff1a\uff1d]\s*/, "");
  const scheme = /^(?:token|api-?key|key)\s+(\S+)$/i.exec(text)?.[1];
  const { label = "", rest = "" } =
    /^(?<label>[^\r\n]{1,60}?)\s*(?:\s[-\u2013\u2014](?=\s)|[\uff1a\uff1d\ufe55\u2192]|(?<=\s)[=-]>(?=\s)|[:=](?=\s|(?<quote>["'`]).+\k<quote>$|[\u2018-\u201f\u00ab\u300c])|(?<=[^!-~]["'`]?):)\s*(?<rest>\S+)$/u.exec(
      text,
    )?.groups ?? {};
  const value = scheme ?? rest;
  if (value === "" || /:\/\//.test(label)) return text;
  const reading = readLayers(value, steps);
  const isKey = reading.kind !== "unusable" && isFitToBeNamed(reading.key);
  return isKey && (/\d/.test(reading.key) || isKeyName(label)) ? value : text;
}

/** Removes the end of a sentence, statement or list, an unpaired bracket, and a line continuation mark. */
function withoutPunctuation(text: string): string {
  if (isUnexpanded(text)) return text;
  const braced = /^\{([\w+/=.-]{16,})\}$/.exec(text)?.[1];
  if (braced !== undefined && /\d/.test(braced)) return braced;
  const end = text.replace(/[,;\uff0c\uff1b\u3001\u3002\uff0e]+$|\s*\\$/, "");
  // If a word has other special characters, a final bracket, `.` or `%` may be part of the key.
  const plain = /^([\w+/=.-]*[\w+/=-])(?:\.|%|["'`]?[)\]}>]{1,4}\.?)$/.exec(end)?.[1] ?? end;
  return plain.length > 1 ? plain : text.replace(/;$/, "");
}

/** Removes a comment, another command, or brackets after a single word. */
function withoutComment(text: string): string {
  const [, word, rest] =
    /^(\S+)\s*?((?:\s#|\s\/\/|\s--\s|\s;|\s\/\*|\s?<!--|\s&&|\s\|\|?\s|\s>|\sREM\s|\s[(]|\s?\uff08).*)$/isu.exec(
      text,
    ) ?? [];
  if (word === undefined || rest === undefined || !/\d|.{16}/.test(word)) return text;
  return hasRival(rest, word) ? text : word;
}

function problemOf(text: string): KeyProblem | undefined {
  if (text === "" || isUnexpanded(text)) return "empty";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "url";
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+/.test(text)) return "login";
  if (isWebToken(text) || isCookie(text)) return "session-token";
  if (/^basic\s+[A-Za-z0-9+/_=-]+$/i.test(text)) return "password";
  if (/\.{3}|\u2026|\*{3}|[\u2022\u25cf\u00b7]{2}|x{8}/.test(text)) return "masked";
  if (/[^\x21-\x7e\s]/.test(text)) return "not-ascii";
  if (!isOneBrokenKey(text.split(/\s+/)) || /[{}]/.test(text)) return "prose";
  return undefined;
}

/**
 * Whether the pieces can belong to one key. A plain word could be a label, so it does not count as a piece of a key.
 */
function isOneBrokenKey(pieces: readonly string[]): boolean {
  if (pieces.length < 2) return true;
  // A command-line option without a known meaning.
  if (/^--?[A-Za-z][a-z-]*$/.test(pieces[0] ?? "")) return false;
  const isWrapped = pieces
    .slice(0, -1)
    .every(({ length }, _, [first]) => length >= 16 && length === first?.length);
  if (pieces.length > 3 && !isWrapped) return false;
  return pieces.every(
    (piece) => !/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)[.,:;!?=]?$/.test(piece) && !/^[^A-Za-z0-9]+$/.test(piece),
  );
}

/** Whether the text is an unresolved reference, or a language's null value. */
function isUnexpanded(text: string): boolean {
  return (
    /^(?:\$(?:env:)?\w+|\$\{\w+\}|\$?\{(?:env|input|file|secret)[:.][\w-]+\}|%\w+%|!\w+!|\$?\{\{[^{}]*\}\}|\$\([^()]*\))$/i.test(
      text,
    ) ||
    // `process.env.API_KEY`, `ENV['API_KEY']`, `getenv("API_KEY")`, `os.environ/API_KEY`.
    /^(?:(?:[\w.:]*[.:])?(?:env|environ|getenv|secrets)|(?:\w+\.)*(?:env|secrets|userdata)\.get|(?:\w+::)*var)[.[(/]["'`]?[A-Za-z_]\w*["'`]?[\])]?!?$/i.test(
      text,
    ) ||
    /^!env\s\w+$/.test(text) ||
    /^(?:undefined|null|None|nil)$/.test(text)
  );
}

/** A JSON Web Token: three base64url parts, or five if encrypted. The first part starts with an encoded `{"`. */
function isWebToken(text: string): boolean {
  return /^eyJ[\w-]+\.(?:[\w-]+\.[\w-]*|[\w-]*(?:\.[\w-]+){3})$/.test(text);
}

/** A `Cookie` header, several name-value pairs, or one pair whose name indicates a session. */
function isCookie(pasted: string): boolean {
  const text = pasted.trim();
  if (/^(?:set-)?cookie:/i.test(text)) return true;
  const names = [...text.matchAll(/(?:^|;)\s*([\w.-]+)=/g)].map(([, name = ""]) => name);
  if (/^[\w.-]+=[^;\s]+;\s*[\w.-]+=/.test(text) && !names.some((name) => /key$/i.test(name))) return true;
  const name = /^([\w.-]+)=[^=\s]/.exec(text)?.[1] ?? "";
  return /sess(?:ion|id)|(?:^|[._-])s(?:ess|id)$/i.test(name) && !/key$/i.test(name);
}
