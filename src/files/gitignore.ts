import ignore from "ignore";
import { compileGlob } from "./globPattern.ts";

/**
 * Maximum number of stars in a line for the library. The time of its expressions is the path length to the power of the
 * number of stars.
 */
const maxStars = 2;
/** Maximum number of characters in a line for the library. */
const maxLineLength = 1000;
/** Number of tested paths after which the library object is replaced, because it caches every path. */
const maxRemembered = 5000;

/** The verdict of a `.gitignore` on a path relative to its folder; undefined if no line matches. */
type GitignoreVerdict = "ignored" | "unignored" | undefined;

/** Consecutive lines with the same effect. */
interface Rules {
  readonly polarity: Polarity;
  readonly foldersOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/**
 * Parses a `.gitignore` as git does, except that ignoring lines ignore case, and how accents are written. If git's
 * behavior cannot be matched exactly, more is ignored, never less. Files in an ignored folder are ignored too: the
 * caller must check the parent folders first.
 */
export function readGitignore(text: string): (path: string, isFolder: boolean) => GitignoreVerdict {
  const rules = readRules(text).toReversed();
  return (path, isFolder) => {
    // The last matching rule wins.
    const rule = rules.find(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches(path));
    return rule?.polarity;
  };
}

function readRules(text: string): readonly Rules[] {
  const groups: {
    readonly polarity: Polarity;
    readonly foldersOnly: boolean;
    readonly patterns: string[];
  }[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    const read = readGitignoreLine(line);
    if (read === undefined) continue;
    const last = groups.at(-1);
    if (last?.polarity === read.polarity && last.foldersOnly === read.foldersOnly)
      last.patterns.push(read.pattern);
    else groups.push({ ...read, patterns: [read.pattern] });
  }
  return groups.map(({ polarity, foldersOnly, patterns }) => ({
    polarity,
    foldersOnly,
    matches: polarity === "ignored" ? ignoringMatcher(patterns) : unignoringMatcher(patterns),
  }));
}

/**
 * Matches a path as written, in lower case, with its accents composed, or byte by byte as git does. Any of these matches
 * is enough.
 */
function ignoringMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = matcherOf(patterns, "ignored");
  const lower = matcherOf(
    patterns.map((pattern) => pattern.toLowerCase()),
    "ignored",
  );
  const composed = matcherOf(
    patterns.map((pattern) => pattern.normalize("NFC").toLowerCase()),
    "ignored",
  );
  const bytes = bytesMatcher(patterns, "ignored");
  return (path) =>
    exact(path) ||
    lower(path.toLowerCase()) ||
    (!isAscii(path) && (bytes(path) || composed(path.normalize("NFC").toLowerCase())));
}

/** Matches a path only if it matches both as written and byte by byte. */
function unignoringMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = matcherOf(patterns, "unignored");
  const bytes = bytesMatcher(patterns, "unignored");
  return (path) => exact(path) && (isAscii(path) || bytes(path));
}

/** For git, `?` matches one byte, but most non-ASCII letters have two or three. */
function bytesMatcher(patterns: readonly string[], polarity: Polarity): (path: string) => boolean {
  let matcher: ((path: string) => boolean) | undefined;
  return (path) => (matcher ??= matcherOf(patterns.map(bytesOf), polarity))(bytesOf(path));
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Returns one character per UTF-8 byte. */
function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function isPlain(pattern: string): boolean {
  return /^[^*?[\\/!#\s]+$/.test(pattern);
}

function isHard(pattern: string): boolean {
  return pattern.length > maxLineLength || (pattern.match(/\*+/g) ?? []).length > maxStars;
}

/** Handles names without wildcards by lookup, because most lines are such names. */
function matcherOf(read: readonly string[], polarity: Polarity): (path: string) => boolean {
  const patterns = read.flatMap((pattern) => writePatterns(pattern, polarity));
  const plain = new Set(patterns.filter(isPlain));
  const others = patterns.filter((pattern) => !isPlain(pattern));
  const byLibrary = libraryMatcher(others.filter((pattern) => !isHard(pattern)));
  const byGlob = others.filter(isHard).flatMap((pattern) => globMatcher(pattern, polarity));
  return (path) =>
    plain.has(path.slice(path.lastIndexOf("/") + 1)) ||
    byLibrary(oneUnitEach(path)) ||
    byGlob.some((matches) => matches(path));
}

function libraryMatcher(patterns: readonly string[]): (path: string) => boolean {
  const make = () =>
    // With the last line, parent folders do not affect the result. The caller has already checked them.
    ignore({ ignoreCase: false, allowRelativePaths: true }).add([...patterns.map(oneUnitEach), "!*/"]);
  let library = make();
  let tested = 0;
  return (path) => {
    if (patterns.length === 0 || path === "") return false;
    tested += 1;
    if (tested % maxRemembered === 0) library = make();
    return library.test(path).ignored;
  };
}

/**
 * Matches lines that would be too slow as a regular expression. Replaces syntax that globs lack with `?`, which makes
 * the match inexact. Returns no matcher for an inexact unignoring line.
 */
function globMatcher(pattern: string, polarity: Polarity): readonly ((path: string) => boolean)[] {
  const plain = pattern.replace(/^\\(?=[!#])/, "").replace(/^\//, "");
  const glob = plain.replace(/\[[!^][^\]]*\]|[{},]/g, "?");
  const isExact = glob === plain;
  const matches = compileGlob(pattern.includes("/") ? glob : `**/${glob}`, { foldersAlone: true });
  if (polarity === "unignored") return isExact && matches !== undefined ? [matches] : [];
  return [matches ?? ((): boolean => true)];
}

/** Replaces characters outside the BMP (two UTF-16 units) by one unit, because `?` in the library matches one unit. */
function oneUnitEach(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + ((character.codePointAt(0) ?? 0) % 6400)),
  );
}

/**
 * The code below rewrites lines of a `.gitignore` so that the library `ignore` reads them as git reads the original.
 */

type Polarity = "ignored" | "unignored";

interface GitignoreLine {
  readonly polarity: Polarity;
  readonly foldersOnly: boolean;
  /** The pattern as git reads it, for `writePatterns`. */
  readonly pattern: string;
}

type Range = readonly [from: number, to: number];

/** Returns undefined for a comment or an empty line. */
function readGitignoreLine(line: string): GitignoreLine | undefined {
  const text = line.replace(/\r$/, "");
  if (text.startsWith("#")) return undefined;
  const isNegated = text.startsWith("!");
  const whole = withoutEndBlanks(isNegated ? text.slice(1) : text);
  const foldersOnly = whole.endsWith("/");
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  return pattern === "" ? undefined : { polarity: isNegated ? "unignored" : "ignored", foldersOnly, pattern };
}

/** Removes spaces at the end, except a space after a backslash. */
function withoutEndBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * Rewrites a pattern to avoid syntax that the library reads differently from git. A path matches if any returned
 * pattern matches. If no exact form exists, an ignoring pattern matches more, and an unignoring one matches nothing.
 * Git compares the text before the first wildcard separately. So in `foo**` + `/bar`, the stars begin the rest and
 * match folders.
 */
function writePatterns(pattern: string, polarity: Polarity): readonly string[] {
  const mayBeMore = polarity === "ignored";
  // Earlier versions did not unignore files by named classes. Files that they excluded must stay excluded.
  if (!mayBeMore && pattern.includes("[:")) return [];
  const [, stem, rest] = /^([^*?[\\]*[^*?[\\/])(?:\*{2,}\/)+(.+)$/su.exec(pattern) ?? [];
  const isStem = stem !== undefined && mayBeMore;
  const anchored = isStem ? `/${stem.replace(/^\//, "")}` : undefined;
  const patterns = anchored === undefined ? [pattern] : [`${anchored}*/**/${rest}`, `${anchored}${rest}`];
  // Earlier versions ended a class at its first closing bracket. Files that they ignored must stay ignored.
  const misread = mayBeMore ? pattern.replace(/\[[!^]?\[:\w+:\]\]/g, "?]") : pattern;
  if (misread !== pattern) patterns.push(misread);
  return patterns.flatMap((each) => writePattern(each, mayBeMore) ?? []);
}

const token = /(?<folders>(?<=^|\/)(?:\*{2,}\/)+)|(?<all>(?<=\/)\*{2,}$)|\*+|\?|\[|\\.|./gsu;

/** Returns undefined if the pattern matches nothing, or if every form matches more although `mayBeMore` is false. */
function writePattern(pattern: string, mayBeMore: boolean): string | undefined {
  let written = "";
  for (let at = 0; at < pattern.length;) {
    token.lastIndex = at;
    const { 0: part, groups } = token.exec(pattern) ?? { 0: "" };
    at += part.length;
    if (part === "\\" || part === "") return undefined;
    if (part === "[") {
      const read = readClass(pattern, at);
      const members = read && writeClass(read, mayBeMore);
      if (read === undefined || members === undefined) return undefined;
      written += members;
      at = read.end;
    } else if (groups?.["folders"] !== undefined) written += "**/";
    else if (groups?.["all"] !== undefined) written += "**/*";
    else if (part.startsWith("*")) written += "*";
    else {
      const character = part.startsWith("\\") ? part.slice(1) : part;
      const span = part.startsWith("\\") ? spanOf(character) : undefined;
      // The library cannot match these characters exactly.
      if ((span !== undefined || /[^\S ]/.test(character)) && !mayBeMore) return undefined;
      written += /[^\S ]/.test(character) ? "?" : span === undefined ? character : `[${span}]`;
    }
  }
  // The library would read these as a comment, a negation or ignorable spaces.
  return written.replace(/^(?=[#!])/, "\\").replace(/ +$/, (blanks) => "?".repeat(blanks.length));
}

/** Ranges of the named classes. `upper` and `lower` are the same, because all ignoring lines ignore case. */
const named: Readonly<Record<string, readonly Range[]>> = {
  alpha: rangesOf("AZaz"),
  digit: rangesOf("09"),
  alnum: rangesOf("09AZaz"),
  upper: rangesOf("AZaz"),
  lower: rangesOf("AZaz"),
  xdigit: rangesOf("09AFaf"),
  blank: rangesOf("  \t\t"),
  space: rangesOf("  \t\r"),
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  graph: rangesOf("!~"),
  print: rangesOf(" ~"),
  punct: rangesOf("!/:@[`{~"),
};

/** @param ends the first and last character of each range */
function rangesOf(ends: string): readonly Range[] {
  const codes = Array.from(ends, (end) => end.charCodeAt(0));
  return codes.flatMap((code, index): readonly Range[] =>
    index % 2 === 0 ? [[code, codes[index + 1] ?? code]] : [],
  );
}

interface CharacterClass {
  readonly ranges: readonly Range[];
  readonly end: number;
  /** Whether a named class follows another member. Earlier versions let such a class match any character. */
  readonly isLoose: boolean;
}

/** Reads a character class. Returns undefined if the class has no end or names an unknown class. */
function readClass(pattern: string, start: number): CharacterClass | undefined {
  const isNegated = /[!^]/.test(pattern[start] ?? "");
  const ranges: Range[] = [];
  const first = isNegated ? start + 1 : start;
  let isLoose = false;
  for (let at = first; at < pattern.length;) {
    if (pattern[at] === "]" && at > first)
      return { ranges: isNegated ? complementOf(ranges) : ranges, end: at + 1, isLoose };
    const name = /^\[:(\w*):\]/.exec(pattern.slice(at, at + 12));
    if (name !== null) {
      const members = named[name[1] ?? ""];
      if (members === undefined) return undefined;
      isLoose ||= at > first;
      ranges.push(...members);
      at += name[0].length;
      continue;
    }
    const [from, behind] = memberAt(pattern, at);
    const isRange = pattern[behind] === "-" && behind + 1 < pattern.length && pattern[behind + 1] !== "]";
    const [to, end] = isRange ? memberAt(pattern, behind + 1) : [from, behind];
    // For a reversed range, git matches only the first character.
    ranges.push([from, Math.max(from, to)]);
    at = end;
  }
  return undefined;
}

function memberAt(pattern: string, at: number): readonly [code: number, end: number] {
  const from = pattern[at] === "\\" && at + 1 < pattern.length ? at + 1 : at;
  return [pattern.charCodeAt(from), from + 1];
}

const lastCode = 0xffff;

function complementOf(ranges: readonly Range[]): readonly Range[] {
  const others: Range[] = [];
  let next = 1;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > next) others.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return next > lastCode ? others : [...others, [next, lastCode]];
}

/**
 * Ranges that contain the characters that the library misreads as single members of a class. The library reads ranges
 * correctly.
 */
const spans = [")*+", ">?@", "[\\]^"] as const;

/** Returns the range for a character that the library misreads alone; undefined for other characters. */
function spanOf(character: string): string | undefined {
  const span = /[*?[\]\\]/.test(character) ? spans.find((each) => each.includes(character)) : undefined;
  return span && `${span[0] ?? ""}-${span.at(-1) ?? ""}`;
}

/** Writes a class for the library, or `?` if it must match more. Returns undefined if no member remains. */
function writeClass({ ranges, isLoose }: CharacterClass, mayBeMore: boolean): string | undefined {
  if (isLoose && mayBeMore) return "?";
  const ascii = new Set<string>();
  let others = "";
  for (const [from, to] of ranges) {
    for (let code = from; code <= Math.min(to, 0x7f); code += 1) ascii.add(String.fromCharCode(code));
    const start = Math.max(from, 0x80);
    if (to >= start) others += `${String.fromCharCode(start)}-${String.fromCharCode(to)}`;
  }
  ascii.delete("/");
  for (const span of spans) {
    const isWhole = Array.from(span).every((character) => ascii.has(character));
    const isAlone = Array.from(span).some(
      (character) => ascii.has(character) && spanOf(character) !== undefined,
    );
    if (!isWhole && !(isAlone && mayBeMore)) continue;
    others += spanOf(span[1] ?? "") ?? "";
    for (const character of span) ascii.delete(character);
  }
  // Omit the remaining characters of incomplete spans. Put a hyphen and negation characters last, so that they are
  // literal.
  const letters = [...ascii].filter((each) => !/[*?[\]\\!^-]/.test(each)).join("");
  const ends = ["!", "^", "-"].filter((each) => ascii.has(each)).join("");
  const members = others + letters + ends;
  return members === "" ? undefined : `[${members}]`;
}
