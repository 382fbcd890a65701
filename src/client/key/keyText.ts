/** A part of a text from `start` to `end` (exclusive), in UTF-16 units. */
export interface KeyRange {
  readonly start: number;
  readonly end: number;
}

/** JSON escapes of quote, backslash and slash. JSON may also write any character as a code. */
const escapes: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['\\"']],
  ["\\", ["\\\\"]],
  ["/", ["\\/"]],
]);

/** Maximum number of JSON encodings. Arguments of a tool call are JSON inside JSON. */
const maxTimes = 2;

/** Finds a whole key in texts, as plain text or JSON-encoded once or twice. Case-sensitive. */
export class KeyText {
  readonly #key: string;
  /** The key as plain text and as `JSON.stringify` writes it, without duplicates. */
  readonly #written: readonly string[];
  #escaped: RegExp | undefined;

  constructor(key: string) {
    this.#key = key;
    const written = [key];
    for (let times = 1; times <= maxTimes; times += 1)
      written.push(JSON.stringify(written.at(-1)).slice(1, -1));
    this.#written = [...new Set(written)];
  }

  /** Returns the ranges of the key in ascending order, without overlap. Takes linear time. */
  rangesIn(text: string): readonly KeyRange[] {
    const plain: KeyRange[] = [];
    const { length } = this.#key;
    for (let at = text.indexOf(this.#key); at !== -1; at = text.indexOf(this.#key, at + length)) {
      plain.push({ start: at, end: at + length });
    }
    if (!text.includes("\\")) return plain;
    // Try the doubly encoded form first. For a key that ends with a backslash, the singly encoded form may be its
    // start.
    this.#escaped ??= new RegExp([2, 1].map((times) => escapedPattern(this.#key, times)).join("|"), "g");
    const escaped = [...text.matchAll(this.#escaped)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
    }));
    // A key that ends with a backslash also matches the start of its own escaped text.
    const all = [...plain, ...escaped].toSorted(
      (one, other) => one.start - other.start || other.end - one.end,
    );
    let end = 0;
    return all.filter((range) => {
      if (range.start < end) return false;
      end = range.end;
      return true;
    });
  }

  /** Returns how many characters at the end of the text match the start of the key. Does not count a whole key. */
  startAtEndOf(text: string): number {
    return Math.max(...this.#written.map((written) => startAtEnd(text, written)));
  }
}

function startAtEnd(text: string, written: string): number {
  for (let length = written.length - 1; length > 0; length -= 1) {
    if (text.endsWith(written.slice(0, length))) return length;
  }
  return 0;
}

function escapedPattern(key: string, times: number): string {
  return Array.from(key, (character) => `(?:${spellings(character, times).map(literal).join("|")})`).join("");
}

/** Returns the longest spellings first, because a backslash is also the start of its own escape. */
function spellings(character: string, times: number): readonly string[] {
  const code = `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const once = [code, code.toUpperCase().replace("U", "u"), ...(escapes.get(character) ?? [])];
  // A slash and characters without an escape may also remain unchanged.
  if (character !== '"' && character !== "\\") once.push(character);
  if (times === 1) return once;
  const twice = once.flatMap((spelling) =>
    spelling.length === 1 && spelling !== "/" ? [spelling] : [JSON.stringify(spelling).slice(1, -1)],
  );
  return [...new Set([...twice, ...once.filter((spelling) => spelling === "/" || spelling === "\\/")])];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
