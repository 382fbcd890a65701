import { redactionRules } from "./redactionRules.ts";

/** Stands where something was taken out. */
const redactionMark = "•••";

/** Longest line of a server that is shown; characters. */
export const maxLineLength = 300;

/** Further lines of a server that are shown. */
const maxRestLines = 8;

/** What of a line is looked at. The rules take a time that grows with its square. */
const maxLineRead = 1500;

/** Control, format and bidirectional characters, and breaks of HTML: they hide text or turn it around. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|<wbr\s*\/?>/giu;
const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Makes a text of a server fit to be shown, logged and copied: its first line only, no longer than
 * `maxLineLength`, without keys, credentials, hashes, addresses of people, ids of accounts, paths of
 * the server's files, and without characters that cannot be seen.
 *
 * @param secrets texts that are known to be secret, such as the key of the call
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const pieces = secrets.flatMap((secret) => secretPieces(secret));
  return redactLine(firstLine(linesOf(without(pieces, text))), pieces);
}

/** What a text says beyond the line that `redact` shows, line by line and as fit to be shown. */
export function redactRest(text: string, secrets: readonly string[] = []): readonly string[] {
  const pieces = secrets.flatMap((secret) => secretPieces(secret));
  const lines = linesOf(without(pieces, text));
  const shown = lines.indexOf(firstLine(lines));
  return lines
    .filter((line, index) => index !== shown && !isTrace(line))
    .slice(0, maxRestLines)
    .map((line) => redactLine(line, pieces))
    .filter((line) => line !== "");
}

/** A line of a trace of calls in the server's program, which says nothing to whoever uses it. */
function isTrace(line: string): boolean {
  return /^\s*(?:at\s+.*:\d+\)?\s*$|at\s+[\w.$<>]+\([\w. ]+\)\s*$|File "[^"]*", line \d+|Traceback \(most recent call last\)|\^+\s*$|goroutine \d+|\S+\.go:\d+)/.test(
    line,
  );
}

function redactLine(line: string, pieces: readonly string[]): string {
  const clean = wholeWords(without(pieces, line.replace(hidden, "")).replace(/\s+/gu, " ").trim());
  const redacted = redactionRules.reduce(
    (rest, { pattern, with: mark }) => rest.replace(pattern, mark),
    clean,
  );
  return redacted.length <= maxLineLength ? redacted : `${cutAt(redacted, maxLineLength - 1)}…`;
}

/** A secret in full, and each of its words, should the server have broken it up. */
function secretPieces(secret: string): readonly string[] {
  const words = secret.split(/\s+/u).filter((word) => word.length >= 8);
  return [secret.trim(), ...words].filter((piece) => piece.length >= 4);
}

function without(pieces: readonly string[], text: string): string {
  return pieces.reduce((rest, piece) => rest.replaceAll(piece, redactionMark), text);
}

/** The lines that are not blank. */
function linesOf(text: string): readonly string[] {
  return text
    .slice(0, 20_000)
    .split(lineEnd)
    .filter((line) => line.trim() !== "");
}

/** The first line; under the head of a Python traceback its last one says what happened. */
function firstLine(lines: readonly string[]): string {
  const first = lines[0] ?? "";
  return /^\s*traceback\b/i.test(first) ? (lines.at(-1) ?? first) : first;
}

/** The words within `maxLineRead`; half a key would have the form of none. */
function wholeWords(line: string): string {
  if (line.length <= maxLineRead) return line;
  const end = line.lastIndexOf(" ", maxLineRead);
  return line.slice(0, end === -1 ? maxLineRead : end);
}

/** Cuts without halving a character of two code units. */
function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
