import { compileParts, type GlobPart } from "./globAutomaton.ts";
import { anyOfName, anything, one, oneOf, oneOfName, slash } from "./globParts.ts";

/** Longer ones are nobody's. */
const longestPattern = 500;

interface GlobOptions {
  /** Whether upper and lower case are alike. */
  readonly ignoreCase?: boolean;
}

/**
 * A test for one of the editor's globs (`**`, `*`, `?`, `[a-z]`, `{a,b}`) over paths with `/`, relative
 * to a folder. A pattern that names a folder holds for all that is in it. Undefined where it is no glob.
 */
export function compileGlob(
  pattern: string,
  { ignoreCase = false }: GlobOptions = {},
): ((path: string) => boolean) | undefined {
  const glob = pattern
    .replaceAll("\\", "/")
    .replace(/^\.?\//, "")
    .replace(/(?<!\/)\/+$/, "");
  if (glob === "" || glob.length > longestPattern) return undefined;
  const parts = readGlob(ignoreCase ? glob.toLowerCase() : glob);
  if (parts === undefined) return undefined;
  const matches = compileParts([...parts, { kind: "either", choices: [[], [slash, anything]] }]);
  return ignoreCase ? (path) => matches(path.toLowerCase()) : matches;
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
