import { compileParts, type GlobPart } from "./globAutomaton.ts";
import { anyOfName, anything, one, oneOf, oneOfName, slash } from "./globParts.ts";

/** Characters. A list of names in braces may be long: most of its choices end with a path's first characters. */
const longestPattern = 20_000;
/** Stars and braces, which can all go on side by side, so that each counts for each character of a path. */
const mostWildcards = 1000;
/** Characters of an overlong pattern that still tell what it may mean. */
const toldStart = 200;

interface GlobOptions {
  /** Whether upper and lower case are alike. */
  readonly ignoreCase?: boolean;
  /** Whether a pattern that names a folder holds for that alone, and not for what is in it. */
  readonly foldersAlone?: boolean;
}

/**
 * A test for one of the editor's globs (`**`, `*`, `?`, `[a-z]`, `{a,b}`) over paths with `/`, relative
 * to a folder. A pattern that names a folder holds for all that is in it. Undefined where it is no glob.
 */
export function compileGlob(
  pattern: string,
  { ignoreCase = false, foldersAlone = false }: GlobOptions = {},
): ((path: string) => boolean) | undefined {
  const glob = normalise(pattern);
  if (glob === "" || isTooMuch(glob)) return undefined;
  const parts = readGlob(ignoreCase ? glob.toLowerCase() : glob);
  if (parts === undefined) return undefined;
  const below: GlobPart = { kind: "either", choices: [[], [slash, anything]] };
  const matches = compileParts(foldersAlone ? parts : [...parts, below]);
  return ignoreCase ? (path) => matches(path.toLowerCase()) : matches;
}

/**
 * A test for whether any glob of a table matches, upper and lower case alike. What globs have in common is walked through
 * once; they are read when the first path is tested.
 * @throws Error at the first path, if one cannot be read
 */
export function compileTable(globs: readonly string[]): (path: string) => boolean {
  let test: ((path: string) => boolean) | undefined;
  return (path) => {
    test ??= compileGlob(`{${globs.join(",")}}`, { ignoreCase: true });
    if (test === undefined) throw new Error("A glob of a table cannot be read.");
    return test(path);
  };
}

/**
 * For a pattern with a fault (a brace or bracket that is not closed, or more than is read): a test for every path that
 * it may have been written for, by its part before the fault. Undefined if it has none.
 */
export function compileFaultyGlob(
  pattern: string,
  { ignoreCase = false }: GlobOptions = {},
): ((path: string) => boolean) | undefined {
  const glob = normalise(pattern);
  const end = isTooMuch(glob) ? (findFault(glob.slice(0, toldStart)) ?? toldStart) : findFault(glob);
  if (end === undefined) return undefined;
  const start = glob.slice(0, end);
  if (!/[^*?/.]/.test(start)) return () => true;
  const parts = readGlob(ignoreCase ? start.toLowerCase() : start);
  if (parts === undefined) return () => true;
  const matches = compileParts([...parts, anything]);
  return ignoreCase ? (path) => matches(path.toLowerCase()) : matches;
}

function normalise(pattern: string): string {
  return pattern
    .replaceAll("\\", "/")
    .replace(/^\.?\//, "")
    .replace(/(?<!\/)\/+$/, "");
}

function isTooMuch(glob: string): boolean {
  return glob.length > longestPattern || (glob.match(/\*+|\{/g) ?? []).length > mostWildcards;
}

/** Where the first brace or bracket stands that is not closed. */
function findFault(glob: string): number | undefined {
  const open: number[] = [];
  for (const { 0: part, index } of glob.matchAll(/\[!?[^\]]+\]|[{}[]/g)) {
    if (part === "{") open.push(index);
    else if (part === "}") open.pop();
    else if (part === "[") return open[0] ?? index;
  }
  return open[0];
}

/** Undefined where a brace is not closed. */
function readGlob(glob: string): readonly GlobPart[] | undefined {
  const token = /\*\*\/(?:\*\*\/)*|\/\*\*(?=$)|\*+|\?|\[!?[^\]]+\]|./gsu;
  /** The choices of each brace that is open, and of the whole; the last one is being read. */
  const open: GlobPart[][][] = [[[]]];
  for (const [part] of glob.matchAll(token)) {
    if (part === "{") open.push([[]]);
    else if (part === "," && open.length > 1) open.at(-1)?.push([]);
    else if (part === "}" && open.length > 1) {
      const choices = open.pop() ?? [];
      open.at(-1)?.at(-1)?.push({ kind: "either", choices });
    } else
      open
        .at(-1)
        ?.at(-1)
        ?.push(...readPart(part));
  }
  return open.length === 1 ? open[0]?.[0] : undefined;
}

function readPart(part: string): readonly GlobPart[] {
  if (part.startsWith("**/")) return [{ kind: "folders" }];
  if (part === "/**") return [slash, anything];
  if (part.startsWith("*")) return [part.length > 1 ? anything : anyOfName];
  if (part === "?") return [oneOfName];
  if (part.length === 1 || !part.startsWith("[")) return [one(part)];
  const negated = part.startsWith("[!") || part.startsWith("[^");
  return [oneOf(Array.from(part.slice(negated ? 2 : 1, -1)), negated)];
}
