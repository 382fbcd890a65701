import { compileParts, type GlobPart } from "./globAutomaton.ts";
import { anyOfName, anything, one, oneOf, oneOfName } from "./globParts.ts";

/** Longer ones are nobody's. */
const longestLine = 1000;

/** What a `.gitignore` says of a path relative to its folder; undefined where it says nothing. */
type GitignoreVerdict = "ignored" | "unignored" | undefined;

interface Rule {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Whether it is about a name in whichever folder, else about a path. */
  readonly isOfName: boolean;
  readonly matches: (path: string) => boolean;
}

/**
 * Reads a `.gitignore` as git does, but with upper and lower case alike. What is in a folder that is ignored is ignored
 * as well: that is for the caller to ask about first.
 */
export function readGitignore(text: string): (path: string, isFolder: boolean) => GitignoreVerdict {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const rules = lines.flatMap((line) => readRule(line.replace(/\r$/, "")) ?? []).toReversed();
  return (path, isFolder) => {
    const lower = path.toLowerCase();
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    // The last one that speaks of it counts.
    const rule = rules.find(
      ({ foldersOnly, isOfName, matches }) => (isFolder || !foldersOnly) && matches(isOfName ? name : lower),
    );
    return rule && (rule.isNegated ? "unignored" : "ignored");
  };
}

function readRule(line: string): Rule | undefined {
  if (line.startsWith("#") || line.length > longestLine) return undefined;
  const isNegated = line.startsWith("!");
  const whole = withoutEndBlanks(isNegated ? line.slice(1) : line).toLowerCase();
  const foldersOnly = whole.endsWith("/");
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  const isOfName = !pattern.includes("/");
  const parts = pattern === "" ? undefined : readPattern(pattern.replace(/^\//, ""));
  return parts && { isNegated, foldersOnly, isOfName, matches: matcherOf(pattern, parts) };
}

/** Most lines are names without any wildcard. */
function matcherOf(pattern: string, parts: readonly GlobPart[]): (path: string) => boolean {
  return /[*?[\\/]/.test(pattern) ? compileParts(parts) : (name) => name === pattern;
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

const token =
  /(?<folders>(?<=^|\/)(?:\*{2,}\/)+)|(?<all>(?<=\/)\*{2,}$)|\*+|\?|\[(?:[!^]|(?![!^]))(?:\\.|[^\\])(?:\\.|\[:\w+:\]|[^\\\]])*\]|\\.|./gsu;

/** Undefined for what matches nothing: a class without its end, and a backslash at the end. */
function readPattern(pattern: string): readonly GlobPart[] | undefined {
  const parts: GlobPart[] = [];
  for (const { 0: part, groups } of pattern.matchAll(token)) {
    if (part === "[" || part === "\\") return undefined;
    if (groups?.["folders"] !== undefined) parts.push({ kind: "folders" });
    else parts.push(groups?.["all"] === undefined ? readPart(part) : anything);
  }
  return parts;
}

function readPart(part: string): GlobPart {
  if (part.startsWith("*")) return anyOfName;
  if (part === "?") return oneOfName;
  if (part.startsWith("[")) return readClass(part);
  return one(part.startsWith("\\") ? part.slice(1) : part);
}

function readClass(part: string): GlobPart {
  // Which characters a class that is named holds is not looked up.
  if (part.includes("[:")) return oneOfName;
  const negated = /^\[[!^]/.test(part);
  return oneOf(part.slice(negated ? 2 : 1, -1).match(/\\.|./gsu) ?? [], negated);
}
