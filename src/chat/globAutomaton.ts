/** Which code points count. */
export type Takes = (code: number) => boolean;

const slashCode = 0x2f;
export const isSlash: Takes = (code) => code === slashCode;
export const isNoSlash: Takes = (code) => code !== slashCode;

/** What a pattern of paths is made of. */
export type GlobPart =
  | { readonly kind: "one"; readonly takes: Takes }
  /** Any number of them. */
  | { readonly kind: "any"; readonly takes: Takes }
  /** Any number of whole folders, each with its `/`. */
  | { readonly kind: "folders" }
  | { readonly kind: "either"; readonly choices: readonly (readonly GlobPart[])[] };

/** A step takes one code point, a fork leads on without. States are named by their indices. */
type State =
  | { readonly kind: "step"; readonly takes: Takes; readonly next: number }
  | { readonly kind: "fork"; readonly next: readonly number[] }
  | { readonly kind: "end" };

/** All states that the beginning of a path can have led to. */
interface Position {
  readonly states: readonly number[];
  readonly isEnd: boolean;
  /** By the code point that comes next, as far as that was worked out. */
  readonly next: Map<number, Position>;
}

/** What is remembered of one pattern; there may be many more positions. */
const mostSteps = 5000;

/**
 * A test for whole paths. All ways to match go on side by side: whatever the pattern, a path takes as many steps as it
 * has characters, where an expression that tries one way after the other may take for ever.
 */
export function compileParts(parts: readonly GlobPart[]): (path: string) => boolean {
  const states: State[] = [{ kind: "end" }];
  const walk = new Walk(states, addParts(states, parts, 0));
  return (path) => walk.matches(path);
}

class Walk {
  readonly #states: readonly State[];
  readonly #first: number;
  readonly #known = new Map<string, Position>();
  #start: Position | undefined;
  #steps = 0;

  constructor(states: readonly State[], first: number) {
    this.#states = states;
    this.#first = first;
  }

  matches(path: string): boolean {
    let position = (this.#start ??= this.#positionOf([this.#first]));
    for (let at = 0; at < path.length; at += 1) {
      const code = path.codePointAt(at) ?? 0;
      if (code > 0xffff) at += 1;
      position = position.next.get(code) ?? this.#step(position, code);
      if (position.states.length === 0 && !position.isEnd) return false;
    }
    return position.isEnd;
  }

  #step(position: Position, code: number): Position {
    if (this.#steps >= mostSteps) this.#forget();
    this.#steps += 1;
    const taken = position.states.flatMap((index) => {
      const state = this.#states[index];
      return state?.kind === "step" && state.takes(code) ? [state.next] : [];
    });
    const next = this.#positionOf(taken);
    position.next.set(code, next);
    return next;
  }

  #forget(): void {
    this.#steps = 0;
    this.#start = undefined;
    this.#known.clear();
  }

  /** With all that is reached without a further character. */
  #positionOf(from: readonly number[]): Position {
    const reached = new Set(from);
    // What is added meanwhile is walked through as well.
    for (const index of reached) {
      const state = this.#states[index];
      if (state?.kind === "fork") for (const next of state.next) reached.add(next);
    }
    const steps = [...reached].filter((index) => this.#states[index]?.kind === "step");
    const states = steps.toSorted((one, other) => one - other);
    const isEnd = reached.has(0);
    const key = `${isEnd} ${states.join(" ")}`;
    const position = this.#known.get(key) ?? { states, isEnd, next: new Map() };
    this.#known.set(key, position);
    return position;
  }
}

/** The index of the first state. Parts are added from the last on, since each leads to the next. */
function addParts(states: State[], parts: readonly GlobPart[], next: number): number {
  return parts.reduceRight((following, part) => addPart(states, part, following), next);
}

function addPart(states: State[], part: GlobPart, next: number): number {
  if (part.kind === "either") {
    const choices = part.choices.map((choice) => addParts(states, choice, next));
    return states.push({ kind: "fork", next: choices }) - 1;
  }
  const at = states.length;
  states.push(...statesOf(part, at, next));
  return at;
}

function statesOf(part: Exclude<GlobPart, { kind: "either" }>, at: number, next: number): readonly State[] {
  switch (part.kind) {
    case "one":
      return [{ kind: "step", takes: part.takes, next }];
    case "any":
      return [
        { kind: "fork", next: [at + 1, next] },
        { kind: "step", takes: part.takes, next: at },
      ];
    case "folders":
      return [
        { kind: "fork", next: [at + 1, next] },
        { kind: "step", takes: isNoSlash, next: at + 2 },
        { kind: "fork", next: [at + 1, at + 3] },
        { kind: "step", takes: isSlash, next: at },
      ];
  }
}
