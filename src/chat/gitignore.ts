import ignore from "ignore";
import { compileGlob } from "./globPattern.ts";
import { type Polarity, readGitignoreLine } from "./gitignoreLine.ts";

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
  const groups: { polarity: Polarity; foldersOnly: boolean; patterns: string[]; lower: string[] }[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    const read = readGitignoreLine(line);
    if (read === undefined) continue;
    const { polarity, foldersOnly, patterns, lowerPatterns } = read;
    let group = groups.at(-1);
    if (group?.polarity !== polarity || group.foldersOnly !== foldersOnly) {
      group = { polarity, foldersOnly, patterns: [], lower: [] };
      groups.push(group);
    }
    group.patterns.push(...patterns);
    group.lower.push(...lowerPatterns);
  }
  return groups.map(({ polarity, foldersOnly, patterns, lower }) => {
    const exact = matcherOf(patterns, polarity);
    const inLower = matcherOf(lower, polarity);
    return { polarity, foldersOnly, matches: (path) => exact(path) || inLower(path.toLowerCase()) };
  });
}

function isPlain(pattern: string): boolean {
  return /^[^*?[\\/!#\s]+$/.test(pattern);
}

function isHard(pattern: string): boolean {
  return pattern.length > longestLine || (pattern.match(/\*+/g) ?? []).length > mostStars;
}

/** Most lines are names without any wildcard. */
function matcherOf(patterns: readonly string[], polarity: Polarity): (path: string) => boolean {
  const plain = new Set(patterns.filter(isPlain));
  const others = patterns.filter((pattern) => !isPlain(pattern));
  const byLibrary = libraryMatcher(others.filter((pattern) => !isHard(pattern)));
  // A glob holds for what is in a folder as well, so that nothing is taken back by one.
  const byGlob = polarity === "ignored" ? others.filter(isHard).map(globMatcher) : [];
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

/** For lines that a regular expression could take for ever for. More is ignored by them than is meant, never less. */
function globMatcher(pattern: string): (path: string) => boolean {
  const glob = pattern
    .replace(/^\\(?=[!#])/, "")
    .replace(/\[[!^][^\]]*\]|[{},]/g, "?")
    .replace(/^\//, "");
  return compileGlob(pattern.includes("/") ? glob : `**/${glob}`) ?? ((): boolean => true);
}

/** Characters beyond the first plane are two units, and the library's `?` takes one. */
function oneUnitEach(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + ((character.codePointAt(0) ?? 0) % 6400)),
  );
}
