import { setImmediate as nextTurn } from "node:timers/promises";
import { wholeEnd, wholeStart } from "../../text/cutText.ts";
import { TerminalText } from "../../text/terminalText.ts";
import { searchForText } from "./fileLines.ts";

/** Commands whose output is remembered after their end. */
const maxRemembered = 20;
/** UTF-16 code units of these outputs. */
const maxRememberedSize = 20_000_000;
/** UTF-16 code units that are kept of the start, and of the end. */
const maxKept = 2_500_000;
/** UTF-16 code units that are read at once. */
const sliceLength = 65_536;
/** UTF-16 code units at a cut that could be a part of a key. */
const maxKeyLength = 4096;

/** The output of one command as text. Of a long one the start and the end are kept. */
export class CommandOutput {
  readonly #text = new TerminalText();
  #start = "";
  #end: string[] = [];
  #endLength = 0;
  #left = 0;
  #received = 0;
  #isUnread = false;

  /** UTF-16 code units that are kept. */
  get size(): number {
    return this.#start.length + this.#endLength + this.#text.openRows.length;
  }

  /** UTF-16 code units that the command has written, with escape sequences. */
  get received(): number {
    return this.#received;
  }

  /** Sentences for the model about things that the text cannot show. */
  get notes(): readonly string[] {
    const isBinary = this.#text.unreadable > Math.max(10, this.#received / 100);
    return [
      ...(this.#isUnread ? ["(Reading the output failed, so a part of it is missing.)"] : []),
      ...(isBinary ? ["(The output holds binary data, which is not shown in full.)"] : []),
      ...(this.#text.usesAlternateScreen
        ? ["(What the command drew on the whole screen is not shown.)"]
        : []),
    ];
  }

  /** Notes that the rest could not be read. */
  noteUnread(): void {
    this.#isUnread = true;
  }

  /** Adds raw output. Reads a large chunk in slices, and not the middle of one that would not be kept. */
  async add(chunk: string): Promise<void> {
    this.#received += chunk.length;
    const startLength = Math.max(0, maxKept - this.#start.length);
    const endStart = chunk.length - maxKept;
    let at = 0;
    while (at < chunk.length) {
      if (at > 0) await nextTurn();
      if (at >= startLength && at < endStart) {
        const lineStart = chunk.indexOf("\n", endStart) + 1;
        const next = lineStart === 0 ? endStart : lineStart;
        this.#forgetEnd();
        this.#left += next - at;
        at = next;
      }
      this.#keep(this.#text.push(chunk.slice(at, at + sliceLength)));
      at += sliceLength;
    }
  }

  /** The kept text, with a note between its start and its end. */
  text(): string {
    const end = this.#end.join("") + this.#text.openRows;
    if (this.#left === 0) return this.#start + end;
    const start = wholeLinesAtStart(this.#start);
    const lastLines = wholeLinesAtEnd(end);
    const left = this.#left + this.#start.length - start.length + end.length - lastLines.length;
    return `${start}\n(${left} characters are not kept.)\n${lastLines}`;
  }

  /** The end of the output. */
  recent(length: number): string {
    let text = this.#text.openRows;
    for (let index = this.#end.length - 1; index >= 0 && text.length < length; index -= 1)
      text = (this.#end[index] ?? "") + text;
    if (text.length < length && this.#left === 0) text = this.#start.slice(-length) + text;
    return wholeEnd(text, length);
  }

  #keep(text: string): void {
    if (text === "") return;
    if (this.#start.length < maxKept && this.#endLength === 0 && this.#left === 0) {
      this.#start += text;
      return;
    }
    this.#end.push(text);
    this.#endLength += text.length;
    while (this.#endLength > maxKept && this.#end.length > 1) {
      const first = this.#end.shift() ?? "";
      this.#endLength -= first.length;
      this.#left += first.length;
    }
  }

  #forgetEnd(): void {
    this.#left += this.#endLength;
    this.#end = [];
    this.#endLength = 0;
  }
}

/**
 * Returns the number of outputs to forget, oldest first. Never counts the newest output.
 * @param sizes of the outputs of ended commands in UTF-16 code units, oldest first
 */
export function countForgotten(sizes: readonly number[]): number {
  let count = 0;
  let size = sizes.reduce((sum, each) => sum + each, 0);
  for (const each of sizes.slice(0, -1)) {
    if (sizes.length - count <= maxRemembered && size <= maxRememberedSize) break;
    size -= each;
    count += 1;
  }
  return count;
}

function wholeLinesAtStart(text: string): string {
  const end = text.lastIndexOf("\n");
  return end >= text.length - maxKeyLength ? text.slice(0, end) : text.slice(0, -maxKeyLength);
}

function wholeLinesAtEnd(text: string): string {
  const start = text.indexOf("\n") + 1;
  return text.slice(start > 0 && start <= maxKeyLength ? start : maxKeyLength);
}

/** UTF-16 code units of the first and of the last part. A result has 48,000, with the notes. */
const partLength = 23_600;

export interface OutputPart {
  readonly text: string;
  readonly isCut: boolean;
}

/** Cuts a cleaned output for the result of its command. */
export function cutOutput(output: string, id: string): OutputPart {
  const text = trimBlankEnd(output);
  if (text === "") return { text: "(No output.)", isCut: false };
  if (text.length <= partLength * 2) return { text, isCut: false };
  const [first, last] = [wholeStart(text, partLength), wholeEnd(text, partLength)];
  const left = text.length - first.length - last.length;
  const note = `(${left} characters are left out here. Read them with read_output, id ${id}, offset ${first.length}.)`;
  return { text: `${first}\n${note}\n${last}`, isCut: true };
}

/** UTF-16 code units of a page. */
const pageLength = 40_000;
const maxFoundLines = 200;

/**
 * A page of a cleaned output.
 * @param offset UTF-16 code units before the page; the last page if absent
 */
export function pageOfOutput(output: string, offset?: number): OutputPart {
  const text = trimBlankEnd(output);
  if (text === "") return { text: "(No output.)", isCut: false };
  const start = Math.max(0, offset ?? text.length - pageLength);
  if (start >= text.length) return { text: `(The output ends at ${text.length}.)`, isCut: false };
  const page = offset === undefined ? wholeEnd(text, pageLength) : wholeStart(text.slice(start), pageLength);
  const pageStart = offset === undefined ? text.length - page.length : start;
  const end = pageStart + page.length;
  const rest = end < text.length ? ` Read on with offset ${end}.` : "";
  const isCut = page.length < text.length;
  const note = isCut ? [`(Characters ${pageStart}-${end} of ${text.length}.${rest})`] : [];
  return { text: [...note, page].join("\n"), isCut };
}

/** Lines of a cleaned output that hold a text in upper or lower case, with their numbers. */
export function findInOutput(output: string, search: string): OutputPart & { readonly count: number } {
  const found = searchForText(search)(output, maxFoundLines);
  const isCut = found.length === maxFoundLines;
  const lines = found.map(({ line, text }) => `${line}\t${text}`);
  const notes = [
    ...(lines.length === 0 ? ["No line matches."] : []),
    ...(isCut ? ["(More lines may match. Search for less.)"] : []),
  ];
  return { text: [...lines, ...notes].join("\n"), isCut, count: lines.length };
}

/**
 * Returns the end of an output for the user. Cuts at a line break if there is one.
 * @param length UTF-16 code units
 */
export function tailOf(text: string, length: number): string {
  const end = wholeEnd(text, length);
  if (end.length === text.length) return end;
  const lineStart = end.indexOf("\n") + 1;
  return lineStart > 0 && lineStart < end.length ? end.slice(lineStart) : end;
}

/** Removes empty lines and spaces at the end. Terminals leave them there. */
function trimBlankEnd(text: string): string {
  return text.trimEnd();
}
