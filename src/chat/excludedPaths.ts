import { compileGlob } from "./globPattern.ts";

/** One of the editor's excluding globs. */
export interface ExcludePattern {
  readonly pattern: string;
  /** Counts only beside a file of this name, in which `$(basename)` is the name without its ending. */
  readonly when?: string;
}

/**
 * A test for a path whose folders have passed it. Most patterns name one name or one ending, so those are
 * looked up: a workspace has as many paths as a regular expression for each would be slow for.
 */
export function compileExcludes(
  patterns: readonly ExcludePattern[],
): (path: string, name: string, siblings: ReadonlySet<string>) => boolean {
  const names = new Set<string>();
  const endings: string[] = [];
  const others: { readonly matches: (path: string) => boolean; readonly when: string | undefined }[] = [];
  for (const { pattern, when } of patterns) {
    const [, star, literal] = /^\*\*\/(\*?)([^*?[\]{},/\\]+)\/?$/.exec(pattern) ?? [];
    if (literal !== undefined && when === undefined) {
      if (star === "") names.add(literal);
      else endings.push(literal);
      continue;
    }
    const matches = compileGlob(pattern);
    if (matches !== undefined) others.push({ matches, when });
  }
  return (path, name, siblings) =>
    names.has(name) ||
    endings.some((ending) => name.endsWith(ending)) ||
    others.some(
      ({ matches, when }) => matches(path) && (when === undefined || hasSibling(name, when, siblings)),
    );
}

function hasSibling(name: string, when: string, siblings: ReadonlySet<string>): boolean {
  const dot = name.lastIndexOf(".");
  const base = dot > 0 ? name.slice(0, dot) : name;
  return siblings.has(when.replaceAll("$(basename)", () => base));
}
