/**
 * Maximum number of characters. The limit is high, because a list of names in braces may be long. Most names of such a
 * list fail at the first characters of a path.
 */
const maxPatternLength = 20_000;
/** Maximum number of stars and braces. All of them can be active at once, so each costs time for each character. */
const maxWildcards = 1000;
/** Number of characters of an overlong pattern that are still evaluated. */
const shownLength = 200;
/** Maximum number of cached steps per pattern. */
const maxSteps = 5000;

interface GlobOptions {
  /** Whether to ignore case. */
  readonly ignoreCase?: boolean;
  /** Whether a pattern for a folder matches only the folder, not its contents. */
  readonly foldersAlone?: boolean;
}

/**
 * Compiles a VS Code glob (`**`, `*`, `?`, `[a-z]`, `{a,b}`). The test takes paths with `/`, relative to a folder. A
 * pattern that matches a folder also matches its contents. Returns undefined if the pattern is empty, invalid or beyond
 * the limits.
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
 * Compiles a list of globs to a test for whether any of them matches, ignoring case. Common starts are evaluated once.
 * The globs are compiled at the first call.
 * The test throws an Error if a glob is invalid.
 */
export function compileTable(globs: readonly string[]): (path: string) => boolean {
  let test: ((path: string) => boolean) | undefined;
  return (path) => {
    test ??= compileGlob(`{${globs.join(",")}}`, { ignoreCase: true });
    if (test === undefined) throw new Error("Cannot compile a glob of the table.");
    return test(path);
  };
}

/**
 * Compiles a faulty pattern: one with an unclosed brace or bracket, or beyond the limits. The test matches every path
 * that fits the part before the fault. Returns undefined if the pattern has no fault.
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

/** Returns the offset of the first unclosed brace or bracket. */
function findFault(glob: string): number | undefined {
  const open: number[] = [];
  for (const { 0: part, index } of glob.matchAll(/\[!?[^\]]+\]|[{}[]/g)) {
    if (part === "{") open.push(index);
    else if (part === "}") open.pop();
    else if (part === "[") return open[0] ?? index;
  }
  return open[0];
}

/** Whether a step accepts a character (a whole code point). */
type Takes = (character: string) => boolean;

/** A state of the automaton for a glob. */
interface State {
  readonly id: number;
  /** The next states, each with a test for the characters that lead there. */
  readonly steps: (readonly [takes: Takes, next: State])[];
  /** The next states that are reached without a character. */
  readonly free: State[];
}

interface States {
  readonly start: State;
  readonly end: State;
}

/** The set of states that the start of a path can reach. */
interface Position {
  readonly states: readonly State[];
  readonly isEnd: boolean;
  /** Cached next positions, by character. */
  readonly next: Map<string, Position>;
}

/**
 * Compiles a glob to a test for whole paths; undefined if a brace is not closed. All alternatives advance in parallel,
 * so a path takes one step per character. A regular expression could backtrack exponentially.
 */
function compile(glob: string, ignoreCase: boolean): ((path: string) => boolean) | undefined {
  const states = readStates(ignoreCase ? composed(glob).toLowerCase() : composed(glob));
  if (states === undefined) return undefined;
  const walk = new Walk(states);
  return ignoreCase
    ? (path) => walk.matches(composed(path).toLowerCase())
    : (path) => walk.matches(composed(path));
}

/** Composes letters with their accents. macOS finds a file by either form, and programs write both. */
function composed(text: string): string {
  return isAscii(text) ? text : text.normalize("NFC");
}

/** Most paths are ASCII. Normalizing each of a large workspace would take time. */
function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
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

  /** Returns the position for these states and all states that are reached without a character. */
  #positionOf(from: readonly State[]): Position {
    const reached = new Set(from);
    // The loop also visits states that it adds.
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

/** Builds the automaton. Returns undefined if a brace is not closed. */
function readStates(glob: string): States | undefined {
  let count = 0;
  const add = (): State => ({ id: (count += 1), steps: [], free: [] });
  const start = add();
  /** The braces that are not closed yet. */
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
        // Any number of folders, each with its slash.
        const inName = add();
        next.steps.push([isNoSlash, inName]);
        inName.steps.push([isNoSlash, inName], [isSlash, next]);
      }
      at = next;
    }
  }
  return open.length === 0 ? { start, end: at } : undefined;
}

/** Returns the test for a token: a character, `?`, `[a-z]` or `[!a-z]`. `?` and a negated class never match `/`. */
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
