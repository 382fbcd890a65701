/**
 * What is wrong with a pasted key, and the key without it (wire.md, "Keys, before anything is
 * sent"; specification, sections 5.2 and 5.7).
 */
import type { KeyMend, KeyProblem } from "../../client/failure/failure.ts";
import { hasRival, keyShapedWords, namedValues, onlyKeyIn, isKeyName } from "../exposedKeys/keyInText.ts";

export type KeyReading =
  | { readonly kind: "clean"; readonly key: string }
  /** `key` is what remains once `mends` are done; a person should agree before it is used. */
  | { readonly kind: "mended"; readonly key: string; readonly mends: readonly KeyMend[] }
  | { readonly kind: "unusable"; readonly problem: KeyProblem };

interface Mender {
  readonly mend: KeyMend;
  readonly apply: (text: string, steps: Steps) => string;
}

/** Characters. Nobody pastes so much to give a key. */
const maxTextLength = 10_000;
/** Layers that are taken off at most. */
const maxSteps = 300;
/** Characters. What a name stands before is shorter only in examples. */
const minNamedLength = 8;

/** What is at the edges of any text. */
const edges: readonly (Mender & { readonly apply: (text: string) => string })[] = [
  // Zero-width characters, BOM, soft hyphen, bidirectional controls: pasted along from web pages.
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

/** Each takes off one layer of what holds a key and nothing else. The first that finds something is followed by all again. */
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

/** Reads a pasted or configured key. Never throws; no finding contains the key. */
export function readKey(pasted: string): KeyReading {
  return pasted.length > maxTextLength ? unusable("prose") : readLayers(pasted, { left: maxSteps });
}

/** What may still be done for one text, with all that stands within it. */
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
    // Nothing is left around it: what is wrong now is wrong with the key itself.
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

/** The key among the parameters of an address. Undefined for all other texts. */
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

/** The only key that a text gives a name to, with what was said of it. Undefined where it names none. */
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

/** Neither a word of a language, nor the name of a variable, nor a number. */
function isFitToBeNamed(key: string): boolean {
  return (
    key.length >= minNamedLength &&
    !/^(?:[a-z]{1,15}|[A-Z]{1,15}|[A-Z]+(?:_[A-Z]+)+|[\d.,]+|\w+\/[\w.+-]+)$/.test(key)
  );
}

/** What is made of a text that has nothing around it any more, but perhaps several words. */
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
  // A blank or line break inside a key comes from a wrapped line or a double click.
  return mended(text.replace(/\s+/g, ""), /[\r\n]/.test(text) ? "line-break" : "blank-inside");
}

/** Pieces of one key differ in length and beginning; keys of one kind do not. */
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

/** Takes off a pair of quotes, or one quote that lost its fellow. */
function unquote(text: string): string {
  // The end of a sentence stands behind the quotes: `"K".`
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

/** Quotes as they are written in a JSON text within another text, or in HTML. */
function unescapeQuotes(text: string): string {
  const plain = text.replace(/&(?:quot|#34|#x22);/gi, '"').replace(/&(?:apos|#39|#x27);/gi, "'");
  const tags = plain.replace(/^&lt;(.*)&gt;$/is, "<$1>");
  return /^\{?\s*\\["']|\\["']\s*[:,}]|\\["']$/.test(tags) ? tags.replace(/\\(["'])/g, "$1") : tags;
}

/** One layer of Markdown or HTML, the mark of a list or of a prompt, or the lines of a table. */
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

/** What a script or a settings file assigns to a name; `""` where that is nothing. */
function withoutVariableName(text: string): string {
  return (
    text
      .replace(
        /^(?:(?:export|set|setx|let|const|var)\s+|\$env:)[A-Za-z_][A-Za-z0-9_]*\s*=\s*(?=[^=\s]|$)/,
        "",
      )
      // A key in base64 has its = at the end alone. Another name has no digits, or blanks behind it.
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

/** `Acme: K`, `密钥：K`, `Clé API : K`, `:K`, `Token K`. A label is believed if what follows it is one key. */
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

/** What ends a sentence, a statement or a list, the bracket that lost its fellow, and the mark of an unended line. */
function withoutPunctuation(text: string): string {
  if (isUnexpanded(text)) return text;
  const braced = /^\{([\w+/=.-]{16,})\}$/.exec(text)?.[1];
  if (braced !== undefined && /\d/.test(braced)) return braced;
  const end = text.replace(/[,;\uff0c\uff1b\u3001\u3002\uff0e]+$|\s*\\$/, "");
  // In a word of other marks these can be a part of the key.
  const plain = /^([\w+/=.-]*[\w+/=-])(?:\.|%|["'`]?[)\]}>]{1,4}\.?)$/.exec(end)?.[1] ?? end;
  return plain.length > 1 ? plain : text.replace(/;$/, "");
}

/** What stands behind one word as a comment, as a further command or in brackets. */
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

/** Whether pieces can be of one key. A word of a language cannot be told from a label, so it is none. */
function isOneBrokenKey(pieces: readonly string[]): boolean {
  if (pieces.length < 2) return true;
  // An option of a command, which says nothing of what follows.
  if (/^--?[A-Za-z][a-z-]*$/.test(pieces[0] ?? "")) return false;
  const isWrapped = pieces
    .slice(0, -1)
    .every(({ length }, _, [first]) => length >= 16 && length === first?.length);
  if (pieces.length > 3 && !isWrapped) return false;
  return pieces.every(
    (piece) => !/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)[.,:;!?=]?$/.test(piece) && !/^[^A-Za-z0-9]+$/.test(piece),
  );
}

/** A reference that nobody resolved, or how a language writes that it has none. */
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

/** A JSON web token: three base64url parts, or five where it is encrypted, the first beginning with `{"`. */
function isWebToken(text: string): boolean {
  return /^eyJ[\w-]+\.(?:[\w-]+\.[\w-]*|[\w-]*(?:\.[\w-]+){3})$/.test(text);
}

/** A `Cookie` header, pairs of name and value, or one pair whose name speaks of a session. */
function isCookie(pasted: string): boolean {
  const text = pasted.trim();
  if (/^(?:set-)?cookie:/i.test(text)) return true;
  const names = [...text.matchAll(/(?:^|;)\s*([\w.-]+)=/g)].map(([, name = ""]) => name);
  if (/^[\w.-]+=[^;\s]+;\s*[\w.-]+=/.test(text) && !names.some((name) => /key$/i.test(name))) return true;
  const name = /^([\w.-]+)=[^=\s]/.exec(text)?.[1] ?? "";
  return /sess(?:ion|id)|(?:^|[._-])s(?:ess|id)$/i.test(name) && !/key$/i.test(name);
}
