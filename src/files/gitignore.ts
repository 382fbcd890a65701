import ignore from "ignore";
import { compileGlob } from "./globPattern.ts";
import { type Polarity, readGitignoreLine, writePatterns } from "./gitignoreLine.ts";

/** Stars of one line that the library is given: its expressions take a power of the path's length by their number. */
const mostStars = 2;
/** Characters of a line that the library is given. */
const longestLine = 1000;
/** Paths after which the library is made anew, since it remembers each. */
const mostRemembered = 5000;

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
  return pattern.length > longestLine || (pattern.match(/\*+/g) ?? []).length > mostStars;
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
    if (tested % mostRemembered === 0) library = make();
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
