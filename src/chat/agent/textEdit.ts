import { wholeStart } from "../../text/cutText.ts";

/** A replacement that the model asks for. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replaces every match. Otherwise there must be exactly one. */
  readonly replaceAll: boolean;
}

/** The outcome of an edit. Texts have `\n` as line ends. */
export type EditedText =
  | { readonly kind: "edited"; readonly text: string; readonly count: number }
  /** A sentence for the model: why the text was not edited. */
  | { readonly kind: "fault"; readonly fault: string }
  /** The text does not occur. `nearestText` adds similar lines to this sentence for the model. */
  | { readonly kind: "missing"; readonly fault: string };

/** UTF-16 code units of a text after an edit. */
const maxLength = 50 * 1024 * 1024;
/** UTF-16 code units of the lines in a fault. */
const maxNearestLength = 1400;
const maxNearestLines = 30;
const maxNearestLineLength = 300;
const maxNamedLines = 20;
const maxMatches = 1_000_000;

/** A range of a text. */
interface Match {
  readonly start: number;
  readonly end: number;
}

/** Replaces `\r\n` and `\r` by `\n`. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/gu, "\n");
}

/** Whether lines of a text end in different ways. */
export function mixesLineEnds(text: string): boolean {
  return new Set(text.match(/\r\n?|\n/gu)).size > 1;
}

/**
 * Edits a text. First looks for `oldText` as it is, then without regard to white space at the ends of lines.
 * @param text with `\n` as line ends
 */
export function editText(text: string, { oldText, newText, replaceAll }: TextEdit): EditedText {
  const [old, added] = [withPlainLineEnds(oldText), withPlainLineEnds(newText)];
  if (old === added) return fault("oldText and newText are equal.");
  if (old === "") {
    return text === ""
      ? { kind: "edited", text: added, count: 1 }
      : fault("oldText is empty. Give the text to replace, or some lines next to the place.");
  }
  const matches = findMatches(text, old);
  if (matches.length === 0) return { kind: "missing", fault: noMatchText(old) };
  if (matches.length > maxMatches) return fault("oldText occurs more than 1,000,000 times.");
  if (matches.length > 1 && !replaceAll) return fault(severalText(text, matches));
  const apart = withoutOverlaps(matches);
  if (text.length + apart.length * (added.length - old.length) > maxLength)
    return fault("The file would become too large.");
  return { kind: "edited", text: replaceMatches(text, apart, added), count: apart.length };
}

/** The outcome of an edit of a notebook's cells. */
type EditedCells =
  | { readonly kind: "edited"; readonly sources: readonly string[] }
  | Exclude<EditedText, { readonly kind: "edited" }>;

/** Like `editText`, for the texts of a notebook's cells. Without `replaceAll`, one cell must have the text, once. */
export function editCells(cells: readonly { readonly source: string }[], edit: TextEdit): EditedCells {
  const [old, added] = [withPlainLineEnds(edit.oldText), withPlainLineEnds(edit.newText)];
  if (old === added) return fault("oldText and newText are equal.");
  const edited = cells.map(({ source }) => editText(source, edit));
  const found = [...edited.entries()].filter(
    ([, { kind }]) => kind === "edited" || (kind === "fault" && old !== ""),
  );
  const [first] = found;
  if (first === undefined && old === "")
    return fault("oldText is empty, and the notebook has no empty cell. Give the text to replace.");
  if (first === undefined)
    return { kind: "missing", fault: noMatchText(old).replace("the file", "any cell") };
  if (found.length > 1 && !edit.replaceAll) {
    const numbers = found.slice(0, maxNamedLines).map(([index]) => index + 1);
    return fault(
      `oldText occurs in several cells: ${numbers.join(", ")}. Add lines around the place, or set replaceAll.`,
    );
  }
  const failed = found.find(([, { kind }]) => kind === "fault");
  if (failed?.[1].kind === "fault") return fault(`In cell ${failed[0] + 1}: ${failed[1].fault}`);
  const sources = cells.map(({ source }, index) => {
    const each = edited[index];
    return each?.kind === "edited" ? each.text : source;
  });
  return { kind: "edited", sources };
}

function fault(text: string): { readonly kind: "fault"; readonly fault: string } {
  return { kind: "fault", fault: text };
}

function findMatches(text: string, old: string): readonly Match[] {
  const exact = startsOf(text, old).map((start) => ({ start, end: start + old.length }));
  return exact.length > 0 ? exact : findTrimmed(text, old);
}

/** Returns at most one more than `maxMatches`. */
function startsOf(text: string, old: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(old); at >= 0 && starts.length <= maxMatches; at = text.indexOf(old, at + 1))
    starts.push(at);
  return starts;
}

const trailingBlanks = /[ \t]+(?=\n|$)/gu;

/** Matches without white space at line ends. A match takes the white space at the end of its last line with it. */
function findTrimmed(text: string, old: string): readonly Match[] {
  const trimmedOld = old.replaceAll(trailingBlanks, "");
  if (trimmedOld.trim() === "") return [];
  const { trimmed, originalOf } = trimLines(text);
  const hadBlanksAtEnd = /[ \t]$/u.test(old);
  return startsOf(trimmed, trimmedOld).flatMap((start) => {
    const end = start + trimmedOld.length;
    const endsLine = end === trimmed.length || trimmed[end] === "\n";
    // White space that was taken away belongs to the middle of a line here.
    if (hadBlanksAtEnd && !endsLine) return [];
    const takesBlanks = endsLine && !trimmedOld.endsWith("\n");
    return [{ start: originalOf(start), end: takesBlanks ? originalOf(end) : originalOf(end - 1) + 1 }];
  });
}

interface TrimmedLines {
  readonly trimmed: string;
  /** The offset in the text of an offset in `trimmed`. */
  readonly originalOf: (offset: number) => number;
}

function trimLines(text: string): TrimmedLines {
  /** Cuts of white space: the offset in `trimmed`, and the length of all cuts up to there. */
  const cuts: { readonly at: number; readonly sum: number }[] = [];
  let sum = 0;
  const trimmed = text.replaceAll(trailingBlanks, (blanks, offset: number) => {
    cuts.push({ at: offset - sum, sum: sum + blanks.length });
    sum += blanks.length;
    return "";
  });
  const originalOf = (offset: number): number => {
    let [low, high] = [0, cuts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cuts[middle]?.at ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (cuts[low - 1]?.sum ?? 0);
  };
  return { trimmed, originalOf };
}

function withoutOverlaps(matches: readonly Match[]): readonly Match[] {
  const apart: Match[] = [];
  for (const match of matches) if (match.start >= (apart.at(-1)?.end ?? 0)) apart.push(match);
  return apart;
}

function replaceMatches(text: string, matches: readonly Match[], added: string): string {
  let from = 0;
  const parts: string[] = [];
  for (const { start, end } of matches) {
    parts.push(text.slice(from, start), added);
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}

function severalText(text: string, matches: readonly Match[]): string {
  const lines = matches.slice(0, maxNamedLines).map(({ start }) => lineAt(text, start));
  const more = matches.length > maxNamedLines ? ", and more" : "";
  return `oldText occurs ${matches.length} times, at lines ${lines.join(", ")}${more}. Add lines around the place, or set replaceAll.`;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function noMatchText(old: string): string {
  const hints = [
    ...(/^ *\d+\t/u.test(old) ? ["Leave out the line numbers of read_file."] : []),
    ...(old.includes("[API key]")
      ? ["The mark [API key] stands for a key that is not shown. Choose lines without it."]
      : []),
  ];
  return ["oldText does not occur in the file (0 matches).", ...hints].join(" ");
}

/**
 * The lines of the file that are most like the searched text, for a fault of at most 2,000 characters. Empty without
 * any likeness. Lines are cut.
 *
 * @param text without keys, with `\n` as line ends
 */
export function nearestText(text: string, oldText: string): string {
  const nearest = nearestLines(text, withPlainLineEnds(oldText));
  return nearest === "" ? "" : `\nThe nearest lines of the file:\n${nearest}`;
}

/** The lines of the file, with their numbers, that are most like the searched lines. Empty without any likeness. */
function nearestLines(text: string, old: string): string {
  const lines = text.split("\n");
  const searched = old.split("\n");
  const start = nearestStart(lines, searched);
  if (start === undefined) return "";
  const from = Math.max(0, start - 1);
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.slice(from, from + searched.length + 2).entries()) {
    const numbered = `${from + index + 1}\t${wholeStart(line, maxNearestLineLength)}`;
    length += numbered.length + 1;
    if (length > maxNearestLength || shown.length === maxNearestLines) break;
    shown.push(numbered);
  }
  return shown.join("\n");
}

/** Each line that both sides have votes for a place of the first searched line. Without any, words vote. */
function nearestStart(lines: readonly string[], searched: readonly string[]): number | undefined {
  return (
    mostVotes(lines, searched, (line) => (/\w/u.test(line) ? [line.trim()] : [])) ??
    mostVotes(lines, searched, (line) => line.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
  );
}

/** Votes that a word or line can give. A frequent one says little about the place. */
const maxPlaces = 50;

function mostVotes(
  lines: readonly string[],
  searched: readonly string[],
  keysOf: (line: string) => readonly string[],
): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of searched.entries())
    for (const key of new Set(keysOf(line))) places.set(key, [...(places.get(key) ?? []), index]);
  const found = new Map<string, number[]>();
  for (const [index, line] of lines.entries())
    for (const key of new Set(keysOf(line)))
      if (places.has(key)) found.set(key, [...(found.get(key) ?? []), index].slice(0, maxPlaces));
  const votes = new Map<number, number>();
  for (const [key, ours] of found)
    for (const at of ours)
      for (const index of places.get(key) ?? []) {
        const start = Math.max(0, at - index);
        votes.set(start, (votes.get(start) ?? 0) + 1 / ours.length);
      }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best?.[0];
}
