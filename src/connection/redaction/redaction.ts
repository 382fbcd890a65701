/** Replaces removed text. */
const redactionMark = "•••";

/** Maximum UTF-16 units of a displayed line. */
export const maxLineLength = 300;

/** Maximum number of further lines that are displayed. */
const maxRestLines = 8;

/** Maximum UTF-16 units of a line that are processed, because the rules take quadratic time. */
const maxLineRead = 1500;

/** Control, format and bidirectional characters, and HTML break marks: they hide or reorder text. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|<wbr\s*\/?>/giu;
const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Makes a server's text safe to display, log and copy. Returns its first line only, truncated to `maxLineLength`.
 * Removes keys, credentials, hashes, email addresses, account IDs, file paths of the server, and invisible characters.
 *
 * @param secrets known secrets, such as the request's key
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const pieces = secrets.flatMap((secret) => secretPieces(secret));
  return redactLine(firstLine(linesOf(without(pieces, text))), pieces);
}

/** Returns up to `maxRestLines` other lines, without stack traces. Each is redacted like the line from `redact`. */
export function redactRest(text: string, secrets: readonly string[] = []): readonly string[] {
  const pieces = secrets.flatMap((secret) => secretPieces(secret));
  const lines = linesOf(without(pieces, text));
  const shown = lines.indexOf(firstLine(lines));
  return lines
    .filter((line, index) => index !== shown && !isTrace(line))
    .slice(0, maxRestLines)
    .map((line) => redactLine(line, pieces))
    .filter((line) => line !== "");
}

/** Whether the line belongs to a stack trace of the server, which does not help the user. */
function isTrace(line: string): boolean {
  return /^\s*(?:at\s+.*:\d+\)?\s*$|at\s+[\w.$<>]+\([\w. ]+\)\s*$|File "[^"]*", line \d+|Traceback \(most recent call last\)|\^+\s*$|goroutine \d+|\S+\.go:\d+)/.test(
    line,
  );
}

function redactLine(line: string, pieces: readonly string[]): string {
  const clean = wholeWords(without(pieces, line.replace(hidden, "")).replace(/\s+/gu, " ").trim());
  const redacted = redactionRules.reduce(
    (rest, { pattern, with: mark }) => rest.replace(pattern, mark),
    clean,
  );
  return redacted.length <= maxLineLength ? redacted : `${cutAt(redacted, maxLineLength - 1)}…`;
}

/** Returns the whole secret and each of its words, in case the server split the secret. */
function secretPieces(secret: string): readonly string[] {
  const words = secret.split(/\s+/u).filter((word) => word.length >= 8);
  return [secret.trim(), ...words].filter((piece) => piece.length >= 4);
}

function without(pieces: readonly string[], text: string): string {
  return pieces.reduce((rest, piece) => rest.replaceAll(piece, redactionMark), text);
}

/** Returns the lines that are not empty. */
function linesOf(text: string): readonly string[] {
  return text
    .slice(0, 20_000)
    .split(lineEnd)
    .filter((line) => line.trim() !== "");
}

/** Returns the first line, or the last line of a Python traceback, which describes the error. */
function firstLine(lines: readonly string[]): string {
  const first = lines[0] ?? "";
  return /^\s*traceback\b/i.test(first) ? (lines.at(-1) ?? first) : first;
}

/** Returns the words within `maxLineRead`. Half of a key would no longer look like a key. */
function wholeWords(line: string): string {
  if (line.length <= maxLineRead) return line;
  const end = line.lastIndexOf(" ", maxLineRead);
  return line.slice(0, end === -1 ? maxLineRead : end);
}

/** Truncates without splitting a surrogate pair. */
function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

interface RedactionRule {
  readonly pattern: RegExp;
  readonly with: string;
}

/** A value after a label: quoted, in angle brackets, or up to the next space. Numbers and marks are not matched. */
const value = String.raw`(?!•••|["'\x60]?\[API key\])(?!-?[\d.,]+(?:e[-+]?\d+)?%?(?=[\s,;)]|\.?$))(?:"[^"]*"|'[^']*'|\x60[^\x60]*\x60|<[^>]*>|[^\s,;)\]}"']+)`;

/** Words before a key, a password or an account. */
const labels = [
  String.raw`(?:api|access|secret|private|virtual|subscription|auth|bearer)[ _-]?(?:key|token)s?`,
  String.raw`x-api-key|authorization|keys?|tokens?|secrets?|passwords?|passwd|credentials?|cookies?|sessions?`,
  String.raw`hash(?: \(token\))?|key hash(?: \(token\))?|received|passed(?: in)?|provided|got`,
  String.raw`(?:end[ _-]?)?users?(?:[ _-]?(?:id|email|name))?|teams?(?:[ _-]?(?:id|alias))?|org(?:anization)?s?(?:[ _-]?id)?|customers?(?:[ _-]?id)?|accounts?(?:[ _-]?id)?|tenant(?:[ _-]?id)?|e-?mail`,
].join("|");

/** Prefixes of keys of various services. */
const keyPrefixes =
  "sk|pk|rk|ak|gsk|csk|xai|hf|fw|fk|nvapi|pplx|tgp|r8|key|api|apikey|token|secret|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|ya29|pat|ops|sess|or|vk|lm|dop_v1|npm|pypi";

/** Root folders of servers. */
const roots =
  "usr|home|root|app|opt|var|tmp|etc|srv|mnt|Users|private|data|lib|workspace|workspaces|build|src|code|go|node_modules|site-packages|proc|run";

/**
 * The rules, in the order of their application: credentials by their form, values after a label, long random texts,
 * then people and machines.
 */
const redactionRules: readonly RedactionRule[] = [
  // A JSON Web Token.
  { pattern: /\beyJ[\w-]{5,}(?:\.[\w-]*)*/g, with: "•••" },
  // Printable ASCII that was escaped character by character.
  {
    pattern:
      /(?:%[2-7][0-9a-f]){8,}|(?:\\+(?:u00|x)[2-7][0-9a-f]){8,}|(?:&#(?:x[2-7][0-9a-f]|[3-9]\d|1[0-2]\d);){8,}/gi,
    with: "•••",
  },
  {
    pattern: /\b(authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s•][^\s]{5,}/gi,
    with: "$1•••",
  },
  { pattern: /\b(bearer|basic|token)\s+(?=\S*[\d*•_-])[^\s,;'"`]{6,}/gi, with: "$1 •••" },
  // User and password of a URL, and its query.
  { pattern: /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, with: "$1•••@" },
  { pattern: /(\bhttps?:\/\/[^\s?"'<>]+)\?[^\s"'<>)]+/gi, with: "$1?•••" },
  // Keys by their prefix, complete or masked.
  {
    pattern: new RegExp(
      String.raw`(?<![\w-])(?:${keyPrefixes})[-_](?=[\w.*…•-]*(?:[\d*…•A-Z]|\.\.))[\w.*…•+/=-]{3,}`,
      "g",
    ),
    with: "•••",
  },
  { pattern: /(?<![\w-])(?:sk|pk|rk)-[\w.*…•+/=-]{3,}/gi, with: "•••" },
  { pattern: /\bAIza[\w-]{6,}|\b(?:AKIA|ASIA)[A-Z0-9]{8,}/g, with: "•••" },
  // Masked texts.
  {
    pattern: /[\w-]*\*{3,}[\w-]*|[\w-]+\*{2,}[\w-]*|[\w-]+[•…]+[\w-]+|[\w-]{2,}\.{3,}[\w-]{2,}/g,
    with: "•••",
  },
  { pattern: new RegExp(String.raw`\b(${labels})(["']?\s*(?:=>|[:=])\s*)${value}`, "gi"), with: "$1$2•••" },
  // Hashes, IDs, and other long random texts.
  { pattern: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, with: "•••" },
  { pattern: /\b(?:0x)?[0-9a-f]{20,}\b/gi, with: "•••" },
  { pattern: /\b(?=\w*\d)(?=\w*[A-Za-z])\w{32,}\b/g, with: "•••" },
  { pattern: /(?<![\w/+])[A-Za-z0-9+/]{24,}={1,2}(?![\w=])/g, with: "•••" },
  {
    pattern: /(?<![\w/])(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Z])[A-Za-z0-9+/_-]{40,}={0,2}/g,
    with: "•••",
  },
  // People, accounts and machines.
  { pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, with: "•••" },
  { pattern: /\borg[-_][A-Za-z0-9]{4,}\b/g, with: "•••" },
  {
    pattern:
      /\b(?:user|usr|proj|project|acct|account|team|cus|sub|tenant|ws|workspace|wrkspc|engagement)[-_](?=\w*\d)[A-Za-z0-9]{4,}\b/g,
    with: "•••",
  },
  { pattern: /\b(?:\d{1,3}\.){3}\d{1,3}\b/g, with: "•••" },
  // Files of the server.
  { pattern: new RegExp(String.raw`(?<![\w:/.])/(?:${roots})/[^\s"'\x60,;:)]+`, "g"), with: "•••" },
  { pattern: /\b[A-Za-z]:\\[^\s"'`,;)]+/g, with: "•••" },
  {
    pattern:
      /(?<![\w:/.])(?:\.{0,2}\/)?(?:[\w.@-]+\/)+[\w.-]+\.(?:py|js|ts|mjs|cjs|go|rs|java|rb|php|c|cc|cpp|cs|kt)\b(?::\d+)*/g,
    with: "•••",
  },
  { pattern: /•••(?:[\s.•-]*•••)+/g, with: "•••" },
];
