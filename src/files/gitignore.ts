import ignore from "ignore";
import { compileGlob } from "./globPattern.ts";

/** Stars of one line that the library is given: its expressions take a power of the path's length by their number. */
const maxStars = 2;
/** Characters of a line that the library is given. */
const maxLineLength = 1000;
/** Paths after which the library is made anew, since it remembers each. */
const maxRemembered = 5000;

/** What a `.gitignore` says of a path relative to its folder; undefined where it says nothing. */
type GitignoreVerdict = "ignored" | "unignored" | undefined;

/** Lines in a row that say the same: which paths, and whether of folders only. */
interface Rules {
  readonly polarity: Polarity;
  readonly foldersOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/**
 * Reads a `.gitignore` as git does, but what it ignores in upper and lower case alike. Where git's reading cannot be
 * had exactly, more is ignored, never less. What is in a folder that is ignored is ignored as well: that is for the
 * caller to ask about first.
 */
export function readGitignore(text: string): (path: string, isFolder: boolean) => GitignoreVerdict {
  const rules = readRules(text).toReversed();
  return (path, isFolder) => {
    // The last one that speaks of it counts.
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

/** As the lines are written, in lower case, or byte by byte as git reads them: any of these is enough. */
function ignoringMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = matcherOf(patterns, "ignored");
  const lower = matcherOf(
    patterns.map((pattern) => pattern.toLowerCase()),
    "ignored",
  );
  const bytes = bytesMatcher(patterns, "ignored");
  return (path) => exact(path) || lower(path.toLowerCase()) || (!isAscii(path) && bytes(path));
}

/** Both as the lines are written and byte by byte. */
function unignoringMatcher(patterns: readonly string[]): (path: string) => boolean {
  const exact = matcherOf(patterns, "unignored");
  const bytes = bytesMatcher(patterns, "unignored");
  return (path) => exact(path) && (isAscii(path) || bytes(path));
}

/** To git a `?` is one byte, of which most letters beyond ASCII have two or three. */
function bytesMatcher(patterns: readonly string[], polarity: Polarity): (path: string) => boolean {
  let matcher: ((path: string) => boolean) | undefined;
  return (path) => (matcher ??= matcherOf(patterns.map(bytesOf), polarity))(bytesOf(path));
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** A character for each byte of UTF-8. */
function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function isPlain(pattern: string): boolean {
  return /^[^*?[\\/!#\s]+$/.test(pattern);
}

function isHard(pattern: string): boolean {
  return pattern.length > maxLineLength || (pattern.match(/\*+/g) ?? []).length > maxStars;
}

/** Most lines are names without any wildcard. */
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
    // The last line has the library judge a path by itself: the caller has asked about the folders that it is in.
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

/** For lines that a regular expression could take for ever for; what a glob has no way to write counts as unread. */
function globMatcher(pattern: string, polarity: Polarity): readonly ((path: string) => boolean)[] {
  const plain = pattern.replace(/^\\(?=[!#])/, "").replace(/^\//, "");
  const glob = plain.replace(/\[[!^][^\]]*\]|[{},]/g, "?");
  const isExact = glob === plain;
  const matches = compileGlob(pattern.includes("/") ? glob : `**/${glob}`, { foldersAlone: true });
  if (polarity === "unignored") return isExact && matches !== undefined ? [matches] : [];
  return [matches ?? ((): boolean => true)];
}

/** Characters beyond the first plane are two units, and the library's `?` takes one. */
function oneUnitEach(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + ((character.codePointAt(0) ?? 0) % 6400)),
  );
}

/** A line of a `.gitignore`, written so that the library `ignore` takes it as git takes the line itself. */

type Polarity = "ignored" | "unignored";

interface GitignoreLine {
  readonly polarity: Polarity;
  readonly foldersOnly: boolean;
  /** As git has it, for `writePatterns`. */
  readonly pattern: string;
}

type Range = readonly [from: number, to: number];

/** Undefined for a comment and for nothing. */
function readGitignoreLine(line: string): GitignoreLine | undefined {
  const text = line.replace(/\r$/, "");
  if (text.startsWith("#")) return undefined;
  const isNegated = text.startsWith("!");
  const whole = withoutEndBlanks(isNegated ? text.slice(1) : text);
  const foldersOnly = whole.endsWith("/");
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  return pattern === "" ? undefined : { polarity: isNegated ? "unignored" : "ignored", foldersOnly, pattern };
}

/** A blank behind a backslash is part of the pattern. */
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
 * A pattern without what the library reads otherwise than git: any of those returned holds, none if it matches nothing.
 * What cannot be written exactly matches more if it is of what is ignored, and nothing if it takes back.
 *
 * Git compares what stands before the first wildcard by itself, so that in `foo**` + `/bar` the stars begin what is
 * left, and take folders.
 */
function writePatterns(pattern: string, polarity: Polarity): readonly string[] {
  const mayBeMore = polarity === "ignored";
  // Earlier versions took back nothing by a named class. Files that they kept out must stay out.
  if (!mayBeMore && pattern.includes("[:")) return [];
  const [, stem, rest] = /^([^*?[\\]*[^*?[\\/])(?:\*{2,}\/)+(.+)$/su.exec(pattern) ?? [];
  const isStem = stem !== undefined && mayBeMore;
  const anchored = isStem ? `/${stem.replace(/^\//, "")}` : undefined;
  const patterns = anchored === undefined ? [pattern] : [`${anchored}*/**/${rest}`, `${anchored}${rest}`];
  // Earlier versions ended a class at its first bracket. Files that they ignored stay ignored.
  const misread = mayBeMore ? pattern.replace(/\[[!^]?\[:\w+:\]\]/g, "?]") : pattern;
  if (misread !== pattern) patterns.push(misread);
  return patterns.flatMap((each) => writePattern(each, mayBeMore) ?? []);
}

const token = /(?<folders>(?<=^|\/)(?:\*{2,}\/)+)|(?<all>(?<=\/)\*{2,}$)|\*+|\?|\[|\\.|./gsu;

/** Undefined for what matches nothing, and for what could only be written so that it matches more than it may. */
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
      // The library cannot be given these alone.
      if ((span !== undefined || /[^\S ]/.test(character)) && !mayBeMore) return undefined;
      written += /[^\S ]/.test(character) ? "?" : span === undefined ? character : `[${span}]`;
    }
  }
  // What begins a comment or a negation, and a blank at the end, are no part of a pattern to the library.
  return written.replace(/^(?=[#!])/, "\\").replace(/ +$/, (blanks) => "?".repeat(blanks.length));
}

/** Upper and lower case alike, as for all that is ignored. */
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

/** @param ends the first and the last of each range */
function rangesOf(ends: string): readonly Range[] {
  const codes = Array.from(ends, (end) => end.charCodeAt(0));
  return codes.flatMap((code, index): readonly Range[] =>
    index % 2 === 0 ? [[code, codes[index + 1] ?? code]] : [],
  );
}

interface CharacterClass {
  readonly ranges: readonly Range[];
  readonly end: number;
  /** Whether a named class follows another member. Earlier versions took any character for a member of it. */
  readonly isLoose: boolean;
}

/** The characters of a class, and where it ends; undefined where it does not, or names a class that there is not. */
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
    // Of a range that runs backwards git takes the first character alone.
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

/** What the library takes for something else in a class, and can be given only with its neighbours. */
const spans = [")*+", ">?@", "[\\]^"] as const;

/** The range that has a character which cannot stand alone; undefined for all others. */
function spanOf(character: string): string | undefined {
  const span = /[*?[\]\\]/.test(character) ? spans.find((each) => each.includes(character)) : undefined;
  return span && `${span[0] ?? ""}-${span.at(-1) ?? ""}`;
}

/** A class for the library, or a `?` for one with more; undefined where nothing is left and no more must match. */
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
  // What is left of a span is left out; a hyphen and what negates stand where they mean nothing else.
  const letters = [...ascii].filter((each) => !/[*?[\]\\!^-]/.test(each)).join("");
  const ends = ["!", "^", "-"].filter((each) => ascii.has(each)).join("");
  const members = others + letters + ends;
  return members === "" ? undefined : `[${members}]`;
}
