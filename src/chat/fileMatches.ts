/** Fewer is better; undefined where the path does not match. */
function rank(path: string, lower: string, searched: string): number | undefined {
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  const inName = name.indexOf(searched);
  if (inName === 0) return name.length === searched.length ? 0 : 1;
  if (inName > 0) return /[A-Z]/.test(path[path.length - name.length + inName] ?? "") ? 2 : 3;
  if (lower.includes(searched)) return 4;
  return isSubsequence(searched, lower) ? 5 : undefined;
}

function isSubsequence(searched: string, text: string): boolean {
  let from = 0;
  for (const character of searched) {
    from = text.indexOf(character, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/**
 * The paths that match what was typed, the best first: by the start of the name, inside the name, in
 * the path, then by letters in their order. Shorter paths come first among equals. One pass of the list.
 */
export function* matchFiles(paths: Iterable<string>, typed: string): Generator<string, void, undefined> {
  const searched = typed.toLowerCase();
  const ranks: string[][] = [[], [], [], [], [], []];
  for (const path of paths) {
    const place = searched === "" ? 0 : rank(path, path.toLowerCase(), searched);
    if (place !== undefined) ranks[place]?.push(path);
  }
  for (const equals of ranks) yield* equals.sort(byLength);
}

function byLength(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : 1);
}
