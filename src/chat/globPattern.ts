/** Longer ones are nobody's. */
const longestPattern = 500;

/**
 * A test for one of the editor's globs (`**`, `*`, `?`, `[a-z]`, `{a,b}`) over paths with `/`, relative
 * to a folder. A pattern that names a folder holds for all that is in it. Undefined where it is no glob.
 */
export function compileGlob(pattern: string): ((path: string) => boolean) | undefined {
  const glob = pattern
    .replaceAll("\\", "/")
    .replace(/^\.?\//, "")
    .replace(/\/+$/, "");
  if (glob === "" || glob.length > longestPattern) return undefined;
  try {
    const expression = new RegExp(`^(?:${convertGlob(glob)})(?:/.*)?$`, "su");
    return (path) => expression.test(path);
  } catch {
    return undefined;
  }
}

function convertGlob(glob: string): string {
  let expression = "";
  let depth = 0;
  const token = /\*\*\/(?:\*\*\/)*|\/\*\*(?=$)|\*+|\?|\[!?[^\]]+\]|./gsu;
  for (const [part] of glob.matchAll(token)) {
    if (part.startsWith("**/")) expression += "(?:[^/]+/)*";
    else if (part === "/**") expression += "/.*";
    else if (part.startsWith("*")) expression += part.length > 1 ? ".*" : "[^/]*";
    else if (part === "?") expression += "[^/]";
    else if (part.length > 1 && part.startsWith("[")) expression += convertClass(part);
    else if (part === "{") {
      depth += 1;
      expression += "(?:";
    } else if (part === "}" && depth > 0) {
      depth -= 1;
      expression += ")";
    } else if (part === "," && depth > 0) expression += "|";
    else expression += part.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
  }
  return expression;
}

function convertClass(part: string): string {
  const negated = part.startsWith("[!") || part.startsWith("[^");
  const members = part.slice(negated ? 2 : 1, -1).replaceAll(/[\\[\]^]/g, String.raw`\$&`);
  return `[${negated ? "^/" : ""}${members}]`;
}
