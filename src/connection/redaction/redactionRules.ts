/** What is taken out of a text, and what stands there then. */
export interface RedactionRule {
  readonly pattern: RegExp;
  readonly with: string;
}

/** A value behind a label: quoted, in angle brackets, or up to the next blank. Figures and marks are kept. */
const value = String.raw`(?!•••|["'\x60]?\[API key\])(?!-?[\d.,]+(?:e[-+]?\d+)?%?(?=[\s,;)]|\.?$))(?:"[^"]*"|'[^']*'|\x60[^\x60]*\x60|<[^>]*>|[^\s,;)\]}"']+)`;

/** Words in front of a key, a password or an account. */
const labels = [
  String.raw`(?:api|access|secret|private|virtual|subscription|auth|bearer)[ _-]?(?:key|token)s?`,
  String.raw`x-api-key|authorization|keys?|tokens?|secrets?|passwords?|passwd|credentials?|cookies?|sessions?`,
  String.raw`hash(?: \(token\))?|key hash(?: \(token\))?|received|passed(?: in)?|provided|got`,
  String.raw`(?:end[ _-]?)?users?(?:[ _-]?(?:id|email|name))?|teams?(?:[ _-]?(?:id|alias))?|org(?:anization)?s?(?:[ _-]?id)?|customers?(?:[ _-]?id)?|accounts?(?:[ _-]?id)?|tenant(?:[ _-]?id)?|e-?mail`,
].join("|");

/** Prefixes that services give to their keys. */
const keyPrefixes =
  "sk|pk|rk|ak|gsk|csk|xai|hf|fw|fk|nvapi|pplx|tgp|r8|key|api|apikey|token|secret|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|ya29|pat|ops|sess|or|vk|lm|dop_v1|npm|pypi";

/** Roots of a server's file system. */
const roots =
  "usr|home|root|app|opt|var|tmp|etc|srv|mnt|Users|private|data|lib|workspace|workspaces|build|src|code|go|node_modules|site-packages|proc|run";

/**
 * The rules, in the order they are applied: credentials by their form first, then whatever stands
 * behind a label, then what is long and random, then people and machines.
 */
export const redactionRules: readonly RedactionRule[] = [
  // A JSON web token.
  { pattern: /\beyJ[\w-]{5,}(?:\.[\w-]*)*/g, with: "•••" },
  // What was escaped character by character, although it is plain ASCII.
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
  // User and password, and the query, of an address.
  { pattern: /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, with: "$1•••@" },
  { pattern: /(\bhttps?:\/\/[^\s?"'<>]+)\?[^\s"'<>)]+/gi, with: "$1?•••" },
  // Keys by their prefix, whole or masked.
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
  // Hashes, ids, and other long random texts.
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
