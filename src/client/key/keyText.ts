/** The part of a text from `start` up to and without `end`, in UTF-16 units. */
export interface KeyRange {
  readonly start: number;
  readonly end: number;
}

/** A quote, a backslash or a slash, as JSON may write them. Any other character may be written by its code. */
const escapes: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ['\\"']],
  ["\\", ["\\\\"]],
  ["/", ["\\/"]],
]);

/** How often a text may have been put into JSON: an argument that is itself JSON, in a text that is. */
const maxTimes = 2;

/** A whole key in texts: as it is, and as JSON writes it, once and twice. Upper and lower case differ. */
export class KeyText {
  readonly #key: string;
  /** The key as it is, and as `JSON.stringify` writes it, without repeats. */
  readonly #written: readonly string[];
  #escaped: RegExp | undefined;

  constructor(key: string) {
    this.#key = key;
    const written = [key];
    for (let times = 1; times <= maxTimes; times += 1)
      written.push(JSON.stringify(written.at(-1)).slice(1, -1));
    this.#written = [...new Set(written)];
  }

  /** Ascending and without overlaps; takes time linear in the text. */
  rangesIn(text: string): readonly KeyRange[] {
    const plain: KeyRange[] = [];
    const { length } = this.#key;
    for (let at = text.indexOf(this.#key); at !== -1; at = text.indexOf(this.#key, at + length)) {
      plain.push({ start: at, end: at + length });
    }
    if (!text.includes("\\")) return plain;
    // Twice first: the text of a key that ends with a backslash begins like that of the key written once.
    this.#escaped ??= new RegExp([2, 1].map((times) => escapedPattern(this.#key, times)).join("|"), "g");
    const escaped = [...text.matchAll(this.#escaped)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
    }));
    // A key that ends with a backslash is also the beginning of its own escaped text.
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

  /** How many characters at the text's end are the key's beginning, the whole key left out. */
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

/** The longest first, since a backslash is also the beginning of its own escape. */
function spellings(character: string, times: number): readonly string[] {
  const code = `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const once = [code, code.toUpperCase().replace("U", "u"), ...(escapes.get(character) ?? [])];
  // A slash and what is no escape stay as they are.
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
