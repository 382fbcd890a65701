/**
 * What is wrong with a pasted key, and the key without it (wire.md, "Keys, before anything is
 * sent"; specification, sections 5.2 and 5.7).
 */
import type { KeyMend, KeyProblem } from "../client/keyProblem.ts";

export type KeyReading =
  | { readonly kind: "clean"; readonly key: string }
  /** `key` is what remains once `mends` are done; a person should agree before it is used. */
  | { readonly kind: "mended"; readonly key: string; readonly mends: readonly KeyMend[] }
  | { readonly kind: "unusable"; readonly problem: KeyProblem };

interface Mender {
  readonly mend: KeyMend;
  readonly apply: (text: string) => string;
}

/** Each takes off one layer; they are repeated until none finds anything. */
const menders: readonly Mender[] = [
  // Zero-width characters, BOM, soft hyphen, bidirectional controls: pasted along from web pages.
  {
    mend: "invisible",
    apply: (text) => text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ""),
  },
  {
    mend: "line-break",
    apply: (text) => text.replace(/[\r\n\u0085\u2028\u2029]+$|^[\r\n\u0085\u2028\u2029]+/g, ""),
  },
  { mend: "blank-around", apply: (text) => text.replace(/^[^\S\r\n]+|[^\S\r\n]+$/g, "") },
  { mend: "quotes", apply: unquote },
  { mend: "json", apply: keyInJson },
  { mend: "header-name", apply: (text) => text.replace(/^(?:authorization|x-api-key)\s*[:=]\s*/i, "") },
  { mend: "bearer", apply: (text) => text.replace(/^bearer(?:\s+|:\s*|$)/i, "") },
  { mend: "variable-name", apply: (text) => (isCookie(text) ? text : withoutVariableName(text)) },
  { mend: "quotes", apply: (text) => text.replace(/;$/, "") },
];

/** Reads a pasted or configured key. Never throws; no finding contains the key. */
export function readKey(pasted: string): KeyReading {
  const mends = new Set<KeyMend>();
  let text = pasted;
  for (let before: string | undefined; before !== text;) {
    before = text;
    text = mendOnce(text, mends);
    if (text !== before) continue;
    // Nothing is left around it: what is wrong now is wrong with the key itself.
    const problem = problemOf(text);
    if (problem !== undefined) return { kind: "unusable", problem };
    text = joinInnerBlanks(text, mends);
  }
  return mends.size === 0 ? { kind: "clean", key: text } : { kind: "mended", key: text, mends: [...mends] };
}

function mendOnce(pasted: string, mends: Set<KeyMend>): string {
  if (isCookie(pasted)) return pasted;
  return menders.reduce((text, { mend, apply }) => {
    const after = apply(text);
    if (after !== text) mends.add(mend);
    return after;
  }, pasted);
}

const quotePairs: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["\u201c", "\u201d"],
  ["\u2018", "\u2019"],
  ["\u00ab", "\u00bb"],
  ["<", ">"],
];

/** Takes off a pair of quotes, or one quote that lost its fellow. */
function unquote(text: string): string {
  for (const [open, close] of quotePairs) {
    if (text.length > 1 && text.startsWith(open) && text.endsWith(close)) return text.slice(1, -1);
  }
  return text.replace(/^["'`\u2018-\u201f]+|["'`\u2018-\u201f]+$/g, "");
}

/** What a script or a settings file assigns to a name; `""` where that is nothing. */
function withoutVariableName(text: string): string {
  return (
    text
      .replace(
        /^(?:(?:export|set|setx|let|const|var)\s+|\$env:)[A-Za-z_][A-Za-z0-9_]*\s*=\s*(?=[^=\s]|$)/,
        "",
      )
      .replace(/^[A-Za-z_][A-Za-z0-9_]*\s*=\s*(?=[^=\s])/, "")
      // Any other name before a last = may be a key in base64.
      .replace(/^[A-Z0-9_]*(?:KEY|TOKEN|SECRET)\s*=$/, "")
      .replace(/^(?:setx|set\s+-[a-z]+)\s+[A-Za-z_][A-Za-z0-9_]*(?:\s+(.*?)(?:\s+\/m)?)?$/is, "$1")
      .replace(/^(?:api[ _-])?[\w-]*(?:key|token|secret):(?:\s+|$)/i, "")
  );
}

/** The only string of a small JSON object whose name speaks of a key, else the text itself. */
function keyInJson(text: string): string {
  if (!text.startsWith("{") || !text.endsWith("}")) return text;
  const found = [...text.matchAll(/"[^"]*(?:key|token)[^"]*"\s*:\s*"([^"]*)"/gi)];
  return found.length === 1 ? (found[0]?.[1] ?? text) : text;
}

function problemOf(text: string): KeyProblem | undefined {
  if (text === "" || isUnexpanded(text)) return "empty";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "url";
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+/.test(text)) return "login";
  if (isWebToken(text) || isCookie(text)) return "session-token";
  if (/\.{3}|\u2026|\*{3}|[\u2022\u25cf\u00b7]{2}|x{8}/.test(text)) return "masked";
  if (/[^\x21-\x7e\s]/.test(text)) return "not-ascii";
  if (text.split(/\s+/).length > 3 || /[{}]/.test(text)) return "prose";
  return undefined;
}

/** A reference that nobody resolved, or how a language writes that it has none. */
function isUnexpanded(text: string): boolean {
  return (
    /^(?:\$(?:env:)?\w+|\$\{(?:env:)?\w+\}|%\w+%)$/i.test(text) ||
    /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv)[.[(]["']?\w+["']?[\])]?$/.test(text) ||
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
  if (/^(?:set-)?cookie:/i.test(text) || /^[\w.-]+=[^;\s]+;\s*[\w.-]+=/.test(text)) return true;
  const name = /^([\w.-]+)=[^=\s]/.exec(text)?.[1] ?? "";
  return /sess(?:ion|id)|(?:^|[._-])s(?:ess|id)$/i.test(name) && !/key$/i.test(name);
}

/** A blank or line break inside a key comes from a wrapped line or a double click. */
function joinInnerBlanks(text: string, mends: Set<KeyMend>): string {
  if (!/\s/.test(text)) return text;
  mends.add(/[\r\n]/.test(text) ? "line-break" : "blank-inside");
  return text.replace(/\s+/g, "");
}
