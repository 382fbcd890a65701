/**
 * Code as it goes in where a line begins with `ahead`: it loses the indent that all its lines share and
 * takes the line's own, but for its first line where that stands behind it already.
 */
export function indentCode(code: string, ahead: string): string {
  const lines = code.replace(/\n$/, "").split("\n");
  const shared = sharedIndent(lines);
  const indent = /^[ \t]*/.exec(ahead)?.[0] ?? "";
  return lines
    .map((line, index) => {
      const text = line.slice(Math.min(shared, line.length));
      return index === 0 || text === "" ? text : indent + text;
    })
    .join("\n");
}

/** Lines of code with the indent that all of `like` share in the place of their own shared one. */
export function indentLike(lines: readonly string[], like: readonly string[]): readonly string[] {
  const indent = (like.find((line) => line.trim() !== "") ?? "").slice(0, sharedIndent(like));
  const shared = sharedIndent(lines);
  return lines.map((line) => (line.trim() === "" ? line : indent + line.slice(shared)));
}

function sharedIndent(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const [first = "", ...others] = indents;
  let length = first.length;
  for (const indent of others) {
    while (!indent.startsWith(first.slice(0, length))) length -= 1;
  }
  return length;
}
