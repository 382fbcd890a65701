import { createContext, Script } from "node:vm";
import { isFields } from "../../protocol/conversation/json.ts";
import { wholeStart } from "../../text/cutText.ts";

/** A line that matches, counted from 1. */
interface MatchingLine {
  readonly line: number;
  readonly text: string;
}

/** Finds the lines of a text that match. @throws RegexTimeoutError */
export type LineSearch = (text: string, maxMatches: number) => readonly MatchingLine[];

/** A regular expression took too long for one file. */
export class RegexTimeoutError extends Error {
  constructor() {
    super("The regular expression takes too long. Use a simpler one.");
    this.name = "RegexTimeoutError";
  }
}

/** UTF-16 code units of a line that are returned. */
const maxMatchLength = 300;
/** UTF-16 code units of a line that are searched. */
const maxSearched = 10_000;
const timeoutMs = 500;

/** Searches for a text as it is, in upper or lower case. */
export function searchForText(query: string): LineSearch {
  const wanted = query.toLowerCase();
  return (text, maxMatches) => {
    if (!text.toLowerCase().includes(wanted)) return [];
    const lines = text.split(/\r\n|\r|\n/u);
    const numbers: number[] = [];
    for (let index = 0; index < lines.length && numbers.length < maxMatches; index += 1) {
      if ((lines[index] ?? "").toLowerCase().includes(wanted)) numbers.push(index);
    }
    return toMatches(lines, numbers);
  };
}

/**
 * Searches by a regular expression that ignores case. The model writes it, so its time is limited: V8 ends a script
 * of `node:vm` in the middle of a match, which nothing else can.
 * @throws SyntaxError if it is none
 */
export function searchForRegex(source: string): LineSearch {
  const expression = new RegExp(source, "iu");
  const context = createContext({ lines: [], expression, max: 0 });
  const script = new Script(`(() => {
    const found = [];
    for (let index = 0; index < lines.length && found.length < max; index += 1) {
      if (expression.test(lines[index])) found.push(index);
    }
    return found.join(" ");
  })()`);
  return (text, maxMatches) => {
    const lines = text.split(/\r\n|\r|\n/u);
    context["lines"] = lines.map((line) => line.slice(0, maxSearched));
    context["max"] = maxMatches;
    const found: unknown = runWithTimeout(script, context);
    const numbers = String(found).split(" ").filter(Boolean).map(Number);
    return toMatches(lines, numbers);
  };
}

function runWithTimeout(script: Script, context: object): unknown {
  try {
    return script.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    // The error is of the context's own class, so `instanceof Error` is false.
    if (isFields(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new RegexTimeoutError();
    throw error;
  }
}

function toMatches(lines: readonly string[], numbers: readonly number[]): readonly MatchingLine[] {
  return numbers.map((index) => {
    const text = lines[index] ?? "";
    return {
      line: index + 1,
      text: text.length <= maxMatchLength ? text : `${wholeStart(text, maxMatchLength)}…`,
    };
  });
}

const maxLines = 2000;
/** UTF-16 code units. */
const maxNumberedLength = 2000;
/** Of the lines; a result has 48,000, with the notes. */
const maxLength = 47_700;

export interface NumberedLines {
  readonly text: string;
  /** Counted from 1. `lastLine` is less than `firstLine` if nothing was read. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly isCut: boolean;
}

/**
 * Lines of a text with their numbers, up to the limits of a result; says which lines are left.
 * @param firstLine the first line to read, counted from 1
 * @param endLine the last line to read; the text's last line if absent
 */
export function numberLines(text: string, firstLine = 1, endLine?: number): NumberedLines {
  const lines = text.split(/\r\n|\r|\n/u);
  if (lines.at(-1) === "") lines.pop();
  const first = Math.max(1, firstLine);
  const last = Math.min(endLine ?? lines.length, lines.length);
  const shown: string[] = [];
  let length = 0;
  for (let number = first; number <= last && shown.length < maxLines; number += 1) {
    const line = `${number}\t${cutNumberedLine(lines[number - 1] ?? "")}`;
    length += line.length + 1;
    if (length > maxLength && shown.length > 0) break;
    shown.push(line);
  }
  const lastShown = first + shown.length - 1;
  const notes = [
    ...(lines.length === 0 ? ["(The file is empty.)"] : []),
    ...(lines.length > 0 && first > lines.length ? [`(The file ends at line ${lines.length}.)`] : []),
    ...(first <= lines.length && first > last ? ["(endLine is before startLine. Nothing was read.)"] : []),
    ...(shown.length > 0 && lastShown < lines.length
      ? [`(Lines ${lastShown + 1}-${lines.length} are not shown. Read on with startLine ${lastShown + 1}.)`]
      : []),
  ];
  return {
    text: [...shown, ...notes].join("\n"),
    firstLine: first,
    lastLine: lastShown,
    isCut: lastShown < last,
  };
}

function cutNumberedLine(line: string): string {
  if (line.length <= maxNumberedLength) return line;
  return `${wholeStart(line, maxNumberedLength)} (line cut: ${line.length} characters)`;
}
