/** Characters. A list of names in braces may be long: most of its choices end with a path's first characters. */
const maxPatternLength = 20_000;
/** Stars and braces, which can all go on side by side, so that each counts for each character of a path. */
const maxWildcards = 1000;
/** Characters of an overlong pattern that still tell what it may mean. */
const shownLength = 200;
/** Steps that are remembered of one pattern; there may be many more. */
const maxSteps = 5000;

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
  return compile(foldersAlone ? glob : `${glob}{,/**}`, ignoreCase);
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
  const end = isTooMuch(glob) ? (findFault(glob.slice(0, shownLength)) ?? shownLength) : findFault(glob);
  if (end === undefined) return undefined;
  const start = glob.slice(0, end);
  return (/[^*?/.]/.test(start) && compile(`${start}**`, ignoreCase)) || ((): boolean => true);
}

function normalise(pattern: string): string {
  return pattern
    .replaceAll("\\", "/")
    .replace(/^\.?\//, "")
    .replace(/(?<!\/)\/+$/, "");
}

function isTooMuch(glob: string): boolean {
  return glob.length > maxPatternLength || (glob.match(/\*+|\{/g) ?? []).length > maxWildcards;
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

/** Whether a character, a whole code point, counts. */
type Takes = (character: string) => boolean;

/** A place in a glob. */
interface State {
  readonly id: number;
  /** The next states, each with the characters that lead there. */
  readonly steps: (readonly [takes: Takes, next: State])[];
  /** The next states that need no character. */
  readonly free: State[];
}

interface States {
  readonly start: State;
  readonly end: State;
}

/** All places that the beginning of a path can have led to. */
interface Position {
  readonly states: readonly State[];
  readonly isEnd: boolean;
  /** By the character that comes next, as far as that was worked out. */
  readonly next: Map<string, Position>;
}

/**
 * A test for whole paths; undefined if a brace is not closed. All ways to match go on side by side: whatever the glob,
 * a path takes as many steps as it has characters, where a regular expression may try them one by one for ever.
 */
function compile(glob: string, ignoreCase: boolean): ((path: string) => boolean) | undefined {
  const states = readStates(ignoreCase ? glob.toLowerCase() : glob);
  if (states === undefined) return undefined;
  const walk = new Walk(states);
  return ignoreCase ? (path) => walk.matches(path.toLowerCase()) : (path) => walk.matches(path);
}

class Walk {
  readonly #start: State;
  readonly #end: State;
  readonly #known = new Map<string, Position>();
  #first: Position | undefined;
  #steps = 0;

  constructor({ start, end }: States) {
    this.#start = start;
    this.#end = end;
  }

  matches(path: string): boolean {
    let position = (this.#first ??= this.#positionOf([this.#start]));
    for (const character of path) {
      position = position.next.get(character) ?? this.#step(position, character);
      if (position.states.length === 0 && !position.isEnd) return false;
    }
    return position.isEnd;
  }

  #step(position: Position, character: string): Position {
    this.#steps += 1;
    if (this.#steps > maxSteps) this.#forget();
    const taken = position.states
      .flatMap(({ steps }) => steps)
      .flatMap(([takes, next]) => (takes(character) ? [next] : []));
    const next = this.#positionOf(taken);
    position.next.set(character, next);
    return next;
  }

  #forget(): void {
    this.#steps = 0;
    this.#first = undefined;
    this.#known.clear();
  }

  /** With all places that are reached without a further character. */
  #positionOf(from: readonly State[]): Position {
    const reached = new Set(from);
    // The loop also visits the states that it adds.
    for (const { free } of reached) for (const state of free) reached.add(state);
    const states = [...reached]
      .filter(({ steps }) => steps.length > 0)
      .toSorted((one, other) => one.id - other.id);
    const isEnd = reached.has(this.#end);
    const key = `${isEnd} ${states.map(({ id }) => id).join(" ")}`;
    const position = this.#known.get(key) ?? { states, isEnd, next: new Map() };
    this.#known.set(key, position);
    return position;
  }
}

const isAny: Takes = () => true;
const isSlash: Takes = (character) => character === "/";
const isNoSlash: Takes = (character) => character !== "/";

/** Undefined if a brace is not closed. */
function readStates(glob: string): States | undefined {
  let count = 0;
  const add = (): State => ({ id: (count += 1), steps: [], free: [] });
  const start = add();
  /** The braces that are open. */
  const open: States[] = [];
  let at = start;
  for (const [token] of glob.matchAll(/\*\*\/(?:\*\*\/)*|\*+|\[!?[^\]]+\]|./gsu)) {
    const brace = open.at(-1);
    if (token === "{") open.push({ start: at, end: add() });
    else if (brace !== undefined && (token === "," || token === "}")) {
      at.free.push(brace.end);
      at = token === "," ? brace.start : brace.end;
      if (token === "}") open.pop();
    } else {
      const next = add();
      if (token.startsWith("*")) at.free.push(next);
      else at.steps.push([takesOf(token), next]);
      if (token.endsWith("*")) next.steps.push([token === "*" ? isNoSlash : isAny, next]);
      if (token.endsWith("**/")) {
        // Any number of whole folders, each with its slash.
        const inName = add();
        next.steps.push([isNoSlash, inName]);
        inName.steps.push([isNoSlash, inName], [isSlash, next]);
      }
      at = next;
    }
  }
  return open.length === 0 ? { start, end: at } : undefined;
}

/** A character, `?`, `[a-z]` or `[!a-z]`; a negated class never takes a `/`. */
function takesOf(token: string): Takes {
  if (token === "?") return isNoSlash;
  if (token.length === 1 || !token.startsWith("[")) return (character) => character === token;
  const isNegated = /^\[[!^]/.test(token);
  const ranges = readRanges(Array.from(token.slice(isNegated ? 2 : 1, -1)));
  return (character) => {
    const code = codeOf(character);
    const isIn = ranges.some(([from, to]) => code >= from && code <= to);
    return isNegated ? !isIn && isNoSlash(character) : isIn;
  };
}

function readRanges(members: readonly string[]): readonly (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at]);
    if (members[at + 1] === "-" && at + 2 < members.length) at += 2;
    ranges.push([from, Math.max(from, codeOf(members[at]))]);
  }
  return ranges;
}

function codeOf(character = ""): number {
  return character.codePointAt(0) ?? 0;
}
