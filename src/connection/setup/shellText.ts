/**
 * Reads commands and assignments of shells: sh, fish, cmd, PowerShell, and files such as `.env`. Each reads the text
 * once, and never throws. Only `References` replaces variables.
 */

export interface ShellCommands {
  /** The words of each command, without quotes. */
  readonly commands: readonly (readonly string[])[];
  /** Whether all quotes are closed. If not, the last command is incomplete. */
  readonly isClosed: boolean;
}

/** Splits a text into commands and words, by the rules of the shell that its continued lines belong to. */
export function splitCommands(text: string): ShellCommands {
  if (/\^[ \t]*\r?\n|\^"/.test(text)) return readWords(withoutCarets(text), "\\", true);
  if (/`[ \t]*\r?\n/.test(text)) return readWords(text, "`", true);
  return readWords(text, "\\", false);
}

/** Removes the escapes of cmd. A browser that copies a request for cmd escapes its quotes too. */
function withoutCarets(text: string): string {
  const joined = text.replace(/\^[ \t]*\r?\n/g, " ");
  return joined.includes('^"') ? joined.replace(/\^(.)/gs, "$1") : joined;
}

const quotes = new Set(['"', "'"]);
const ends = new Set(["\n", ";", "|", "&"]);

/** @param doublesQuotes whether two quotes within quotes mean one */
function readWords(text: string, escape: string, doublesQuotes: boolean): ShellCommands {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote: string | undefined;
  let isAnsi = false;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote !== undefined) {
      if (character === quote && !(doublesQuotes && next === quote)) quote = undefined;
      else if (character === quote) {
        word = `${word ?? ""}${quote}`;
        at += 1;
      } else if (isEscape(character, next, quote, escape, isAnsi)) {
        const [decoded, length] = isAnsi ? decodeAnsi(text, at) : [next === "\n" ? "" : next, 2];
        word = `${word ?? ""}${decoded}`;
        at += length - 1;
      } else word = `${word ?? ""}${character}`;
      continue;
    }
    const continued = character === escape ? /^[ \t]*(?:\r?\n|$)/.exec(text.slice(at + 1, at + 80)) : null;
    if (continued !== null) at += continued[0].length;
    else if (character === escape) {
      word = `${word ?? ""}${next}`;
      at += 1;
    } else if (quotes.has(character)) {
      quote = character;
      isAnsi = character === "'" && word === "$" && !doublesQuotes;
      word = isAnsi ? "" : (word ?? "");
    } else if (ends.has(character)) {
      endWord();
      commands.push([]);
    } else if (/\s/.test(character)) endWord();
    else if (character === "#" && word === undefined) {
      const end = text.indexOf("\n", at);
      at = (end === -1 ? text.length : end) - 1;
    } else word = `${word ?? ""}${character}`;
  }
  endWord();
  return { commands: commands.filter((words) => words.length > 0), isClosed: quote === undefined };
}

function isEscape(character: string, next: string, quote: string, escape: string, isAnsi: boolean): boolean {
  if (isAnsi) return character === "\\";
  if (quote !== '"') return false;
  return (
    (character === escape || character === "\\") && (next === '"' || next === escape || /[$`\n]/.test(next))
  );
}

const ansiEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Decodes an escape in `$'...'`. Returns the text and the length of the escape. */
function decodeAnsi(text: string, at: number): readonly [string, number] {
  const code = /^\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4}))/i.exec(text.slice(at, at + 6));
  if (code !== null)
    return [String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16)), code[0].length];
  const next = text.charAt(at + 1);
  return [ansiEscapes[next] ?? next, 2];
}

export interface Assignment {
  readonly name: string;
  /** Undefined if its quote isn't closed. Empty if the value is the output of a command. */
  readonly value: string | undefined;
}

const anyName = String.raw`([A-Za-z_][A-Za-z0-9_]{0,79})`;
const command = String.raw`(?:(?:export|set|env|declare\s+-x|local|let|const|var|ENV|-e|-)\s+)?`;
/** `export A=b`, `$env:A = "b"`, `A: b`, `"A": "b"`, `os.environ["A"] = "b"`. */
const assigned = new RegExp(
  String.raw`^\s*${command}(?:\$env:|\$\{env:|os\.environ\[)?["']?${anyName}["'}]?\]?\s*(?:=|:(?=\s))\s*`,
  "i",
);
/** `setx A b`, `set -gx A b`, `setenv A b`. */
const spaced = new RegExp(
  String.raw`^\s*(?:setx(?:\s+/m)?|setenv|set(?:\s+--?[a-z]+){1,5}|ENV)\s+${anyName}\s+`,
  "i",
);
/** `[Environment]::SetEnvironmentVariable("A", "b")`. */
const called = new RegExp(
  String.raw`^\s*\[(?:System\.)?Environment\]::SetEnvironmentVariable\(\s*["']${anyName}["']\s*,\s*`,
  "i",
);

/** Returns the assignments of a text in their order. Comments are ignored. */
export function readAssignments(text: string): readonly Assignment[] {
  return text.split(/\r?\n|(?:&{1,2}|;)\s*(?=(?:export|set|setx)\s|\$env:)/i).flatMap(readLine);
}

function readLine(line: string): readonly Assignment[] {
  const found: Assignment[] = [];
  // `set "A=b"` quotes name and value together.
  let rest = /^\s*set\s+"([^"]*)"\s*$/i.exec(line)?.[1] ?? line;
  if (/^\s*(?:#|\/\/|REM\s|::)/i.test(rest)) return [];
  while (rest !== "" && found.length < 50) {
    const start = called.exec(rest) ?? spaced.exec(rest) ?? assigned.exec(rest);
    if (start === null) break;
    const [value, length] = readValue(rest.slice(start[0].length));
    found.push({ name: start[1] ?? "", value });
    rest = rest.slice(start[0].length + length).replace(/^\s*(?:;|&&)/, "");
  }
  return found;
}

/** Reads a value at the start of a text. Returns it with its length, including quotes. */
function readValue(text: string): readonly [string | undefined, number] {
  // A comment in the place of a value.
  if (text.startsWith("#")) return ["", text.length];
  const output = /^(?:\$\([^()]*\)|`[^`]*`)/.exec(text)?.[0];
  if (output !== undefined) return ["", output.length];
  if (/^(?:\$\(|`)/.test(text)) return ["", text.length];
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") {
    const closed = new RegExp(String.raw`^${quote}((?:\\.|[^\\${quote}])*)${quote}`).exec(text);
    if (closed === null) return [undefined, text.length];
    const inner = closed[1] ?? "";
    if (quote === "'") return [inner, closed[0].length];
    return [/^(?:\$\(|`)/.test(inner) ? "" : inner.replace(/\\(["\\$`])/g, "$1"), closed[0].length];
  }
  // Files such as `.env` also have `;`, `&` and `,` inside values. Some keys start with a number and `|`.
  const word =
    /^(?:\d{1,10}\|(?=\w{20}))?(?:(?!&&|[;&](?:\s|$)|;[A-Za-z_]\w{0,79}=)[^\s|])*/.exec(text)?.[0] ?? "";
  return [word.replace(/[,;]+$/, ""), word.length];
}

/** Replaces references to variables that the text itself sets. */
export class References {
  /** The assignments with their references replaced. */
  readonly assignments: readonly Assignment[];
  readonly used = new Set<string>();
  readonly #values = new Map<string, string>();
  #left: number;

  /** @param maxLength maximum UTF-16 units of all replaced text */
  constructor(assignments: readonly Assignment[], maxLength: number) {
    this.#left = maxLength;
    this.assignments = assignments.map(({ name, value: written }) => {
      const value = written === undefined ? undefined : this.expand(written);
      if (value !== undefined) this.#values.set(name, value);
      return { name, value };
    });
  }

  /** Whether the maximum is exceeded. The texts are then incomplete. */
  get isTooLong(): boolean {
    return this.#left < 0;
  }

  expand(text: string): string {
    return text.replace(
      /\$(?:env:)?(\w+)|\$\{(?:env:)?(\w+)\}|%(\w+)%/gi,
      (written, ...names: readonly unknown[]) => {
        const name = names.slice(0, 3).find((each) => typeof each === "string");
        const value = typeof name === "string" ? this.#values.get(name) : undefined;
        if (value === undefined || typeof name !== "string") return written;
        this.used.add(name);
        this.#left -= value.length;
        return this.isTooLong ? written : value;
      },
    );
  }
}
