const longestScanned = 200_000;

/** For each line the line where the text of several lines begins that it stands in. */
export function findStrings(lines: readonly string[]): readonly (number | undefined)[] {
  const starts: (number | undefined)[] = [];
  let open: { readonly mark: string; readonly line: number } | undefined;
  if (lines.reduce((sum, line) => sum + line.length, 0) > longestScanned) return starts;
  const withTemplates = (lines.join("\n").match(/`/g)?.length ?? 0) % 2 === 0;
  for (const [at, line] of lines.entries()) {
    starts.push(open?.line);
    let rest = line;
    for (;;) {
      if (open === undefined) {
        const found = /"""|'''|`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$|#\s.*$/.exec(rest);
        const mark = found?.[0] ?? "";
        if (found === null) break;
        rest = rest.slice(found.index + mark.length);
        if (mark === '"""' || mark === "'''" || (mark === "`" && withTemplates)) open = { mark, line: at };
      } else {
        const end =
          open.mark === "`" ? /^(?:[^`\\]|\\.?)*`/.exec(rest)?.[0].length : rest.indexOf(open.mark) + 3;
        if (end === undefined || end === 2) break;
        rest = rest.slice(end);
        open = undefined;
      }
    }
  }
  // What never ends was none.
  const last = open?.line ?? lines.length;
  return starts.map((start, at) => (at > last ? undefined : start));
}
