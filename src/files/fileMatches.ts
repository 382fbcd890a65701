/** Returns the rank of a path (0 is best), or undefined if the path does not match. */
function rank(path: string, lower: string, searched: string): number | undefined {
  const start = lower.lastIndexOf("/") + 1;
  const inName = lower.indexOf(searched, start);
  if (inName === start) return lower.length - start === searched.length ? 0 : 1;
  if (inName > start) return /[A-Z]/.test(path[inName] ?? "") ? 2 : 3;
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
 * Finds the paths that match the typed text. Best first: start of the file name, inside the name, in the path, then
 * letters in order. Within a rank, shorter paths come first.
 */
export class FileMatches {
  readonly #paths: readonly string[];
  #searched = "";
  #matched: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#matched = paths;
  }

  /** Yields the matching paths. If `typed` extends the last search text, searches only the matches of that search. */
  *find(typed: string): Generator<string, void, undefined> {
    const searched = typed.toLowerCase();
    const paths = searched.startsWith(this.#searched) ? this.#matched : this.#paths;
    const ranks = Array.from({ length: 6 }, () => new Equals());
    const matched: string[] = [];
    for (const path of paths) {
      const place = searched === "" ? 0 : rank(path, path.toLowerCase(), searched);
      if (place === undefined) continue;
      ranks[place]?.add(path);
      matched.push(path);
    }
    this.#searched = searched;
    this.#matched = matched;
    for (const equals of ranks) yield* equals.ordered();
  }
}

/** Paths of one rank, sorted lazily: there may be many, and few are shown. */
class Equals {
  readonly #byLength = new Map<number, string[]>();

  add(path: string): void {
    const equals = this.#byLength.get(path.length);
    if (equals === undefined) this.#byLength.set(path.length, [path]);
    else equals.push(path);
  }

  *ordered(): Generator<string, void, undefined> {
    const lengths = [...this.#byLength.keys()].sort((left, right) => left - right);
    for (const length of lengths) yield* this.#byLength.get(length)?.sort() ?? [];
  }
}
