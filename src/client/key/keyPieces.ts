import { formsOfKey, SpellingReader, standsForItself } from "./keyForms.ts";
import type { KeyForm } from "./keyForms.ts";

/** Minimum number of consecutive key characters that are no coincidence. */
const minPieceLength = 8;
/** Minimum for letters only, which may be a word. */
const minWordLength = 12;
/** Minimum next to a mask, or at the truncated end of a text. */
const minLengthBesideMask = 6;
/** Minimum next to a mask with a piece on its other side. */
const minCompanionLength = 3;

/** A piece of a form found in a text. `from` and `to` are offsets in the form, `start` and `end` in the text. */
interface Piece {
  readonly form: PlacedForm;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

interface Part {
  readonly start: number;
  readonly end: number;
}

type Places = readonly number[];
const none: Places = [];

function smallCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Encodes three ASCII characters as one number, ignoring case. */
function threeOf(first: number, second: number, third: number): number {
  return (smallCode(first) << 14) | (smallCode(second) << 7) | smallCode(third);
}

/** A form and its offset in the row of all forms. */
interface PlacedForm extends KeyForm {
  readonly offset: number;
}

/**
 * Finds pieces of a key in texts of a service about itself. Reads any form of the key (`keyForms.ts`) in any spelling
 * of its characters.
 * All forms are concatenated to one row. A text is read once, and again for a short part after each mask. For each text
 * offset and row place, the search tracks the length of the piece that ends there. The time is the text length times
 * the number of row places of one character.
 */
export class KeyPieces {
  readonly #key: string;
  readonly #prefix: PublicPrefix;
  /** Number of non-letters before each offset of the key. */
  readonly #otherThanLetters: readonly number[];
  readonly #forms: readonly PlacedForm[];
  /** The form at each place of the row; undefined between two forms. */
  readonly #formAt: readonly (PlacedForm | undefined)[];
  /** Lower-case character codes of the row, and the alternative codes of URL-safe base64; -1 if there is none. */
  readonly #codes: readonly number[];
  readonly #otherCodes: readonly number[];
  /** Places in the row by character code, for both cases. */
  readonly #places: readonly Places[];
  readonly #placesOfThree: ReadonlyMap<number, Places>;
  readonly #reader = new SpellingReader();
  readonly #freeRows: Row[] = [];

  /** @param key visible ASCII, at least 8 characters */
  constructor(key: string) {
    this.#key = key;
    this.#prefix = publicPrefixOf(key);
    const counts = [0];
    for (const character of key) counts.push((counts.at(-1) ?? 0) + (/[a-z]/i.test(character) ? 0 : 1));
    this.#otherThanLetters = counts;
    const forms: PlacedForm[] = [];
    const formAt: (PlacedForm | undefined)[] = [undefined];
    const codes = [-1];
    const otherCodes = [-1];
    for (const form of formsOfKey(key)) {
      const placed = { ...form, offset: formAt.length };
      forms.push(placed);
      for (const character of form.text.toLowerCase()) {
        formAt.push(placed);
        codes.push(character.charCodeAt(0));
        otherCodes.push(form.otherCharacters?.get(character)?.charCodeAt(0) ?? -1);
      }
      formAt.push(undefined);
      codes.push(-1);
      otherCodes.push(-1);
    }
    this.#forms = forms;
    this.#formAt = formAt;
    this.#codes = codes;
    this.#otherCodes = otherCodes;
    this.#places = Array.from({ length: 128 }, (_none, code) =>
      codes.flatMap((_code, place) => (this.#stands(code, place) ? [place] : [])),
    );
    this.#placesOfThree = this.#listThrees();
  }

  #listThrees(): ReadonlyMap<number, Places> {
    const codesAt = (place: number): readonly number[] =>
      [this.#codes[place] ?? -1, this.#otherCodes[place] ?? -1].filter((code) => code !== -1);
    const places = new Map<number, number[]>();
    for (const place of this.#codes.keys()) {
      for (const first of codesAt(place))
        for (const second of codesAt(place + 1))
          for (const third of codesAt(place + 2)) {
            const three = threeOf(first, second, third);
            places.set(three, [...(places.get(three) ?? []), place]);
          }
    }
    return places;
  }

  /** Replaces each piece by `placeholder`. A mask and the pieces next to it become one placeholder. */
  replaceIn(text: string, placeholder: string): string {
    let clean = "";
    let end = 0;
    for (const part of joined(this.#find(text))) {
      clean += text.slice(end, part.start) + placeholder;
      end = part.end;
    }
    return end === 0 ? text : clean + text.slice(end);
  }

  #find(text: string): readonly Part[] {
    const masks = findMasks(text);
    const piecesUpTo = new Map<number, Piece[]>([[text.length, []]]);
    for (const { before } of masks) if (before !== undefined) piecesUpTo.set(before.at, []);
    // Of the pieces that end at one offset, the first to start includes the others.
    const startOfEnd = new Map<number, number>();
    const note = (place: number, length: number, start: number, end: number): void => {
      const known = startOfEnd.get(end);
      if (known !== undefined && known <= start) return;
      if (this.#isEvidence(place, length)) startOfEnd.set(end, start);
    };
    this.#read(text, 0, { anywhere: true, minLength: minPieceLength, onPiece: note, piecesUpTo });
    const parts: Part[] = [...startOfEnd].map(([end, start]) => ({ start, end }));
    for (const mask of masks) {
      const part = this.#besideMask(text, mask, piecesUpTo.get(mask.before?.at ?? -1) ?? []);
      if (part !== undefined) parts.push(part);
    }
    const [plain] = this.#forms;
    const cut = (piecesUpTo.get(text.length) ?? []).filter(
      (piece) => piece.form === plain && piece.from === 0 && this.#isEvidenceBesideMask(piece, false),
    );
    return [...parts, ...cut];
  }

  /** Returns the part to remove at a mask: the mask and the pieces next to it. */
  #besideMask(text: string, mask: Mask, before: readonly Piece[]): Part | undefined {
    const behind: Piece[] = [];
    this.#read(text, mask.behind.at, {
      anywhere: false,
      minLength: 1,
      onPiece: (place, length, start, end) => void behind.push(...this.#piecesAt(place, length, start, end)),
      piecesUpTo: new Map(),
    });
    const left = longest(
      before.filter((piece) => this.#isEvidenceBesideMask(piece, mask.before?.isApart === true)),
    );
    const right = longest(behind.filter((piece) => this.#isEvidenceBesideMask(piece, mask.behind.isApart)));
    if (left === undefined && right === undefined) return this.#bothEnds(before, behind);
    const leftEnd = left ?? longest(before.filter((piece) => this.#isCompanion(text, piece, "start")));
    const rightEnd = right ?? longest(behind.filter((piece) => this.#isCompanion(text, piece, "end")));
    return { start: leftEnd?.start ?? mask.start, end: rightEnd?.end ?? mask.end };
  }

  /** Returns the part to remove if start and end of the key surround a mask, each too short alone. */
  #bothEnds(before: readonly Piece[], behind: readonly Piece[]): Part | undefined {
    const left = longest(before.filter((piece) => this.#isOuterEnd(piece, "start")));
    const right = longest(behind.filter((piece) => this.#isOuterEnd(piece, "end")));
    if (left === undefined || right === undefined || left.form !== right.form) return undefined;
    const isEnough = left.to - left.from + right.to - right.from >= minLengthBesideMask;
    return isEnough ? { start: left.start, end: right.end } : undefined;
  }

  #isCompanion(text: string, piece: Piece, side: "start" | "end"): boolean {
    if (piece.to - piece.from >= minCompanionLength) return true;
    const next = side === "start" ? text.charAt(piece.start - 1) : text.charAt(piece.end);
    return this.#isOuterEnd(piece, side) && !/[a-z\d]/i.test(next);
  }

  #isOuterEnd({ form, from, to }: Piece, side: "start" | "end"): boolean {
    if (side === "end") return to === form.text.length;
    return from === 0 || (form === this.#forms[0] && from === this.#prefix.length);
  }

  /** Whether a piece alone reveals part of the key. */
  #isEvidence(place: number, length: number): boolean {
    const form = this.#formAt[place];
    if (form === undefined || length < minPieceLength) return false;
    const to = place + 1 - form.offset;
    const [start, end] = form.rangeOf(to - length, to);
    if (end - start < minPieceLength || end <= this.#prefix.reach) return false;
    if (end - start >= minWordLength || !this.#isOfLetters(start, end)) return true;
    return end === this.#key.length && start <= this.#prefix.length;
  }

  #isEvidenceBesideMask({ form, from, to }: Piece, isApart: boolean): boolean {
    if (to - from < minLengthBesideMask) return false;
    const [start, end] = form.rangeOf(from, to);
    if (end - start < minLengthBesideMask || end <= this.#prefix.length) return false;
    return !isApart || !this.#isOfLetters(start, end);
  }

  #isOfLetters(start: number, end: number): boolean {
    return this.#otherThanLetters[start] === this.#otherThanLetters[end];
  }

  /** Reads a text from offset `from` once, following all spellings of a character in parallel. */
  #read(text: string, from: number, { anywhere, minLength, onPiece, piecesUpTo }: Reading): void {
    const rows = new Map<number, Row>();
    const rowAt = (at: number): Row => {
      let row = rows.get(at);
      if (row === undefined) rows.set(at, (row = this.#freeRows.pop() ?? new Row(this.#formAt.length)));
      return row;
    };
    const reach = (end: number, place: number, length: number, start: number): void => {
      rowAt(end).reach(place, length, start);
      if (length >= minLength) onPiece(place, length, start, end);
    };
    const take = (code: number, at: number, here: Row | undefined, end: number, begins: Places): void => {
      here?.forEach((place, length, start) => {
        if (this.#stands(code, place + 1)) reach(end, place + 1, length + 1, start);
      });
      for (const place of begins) reach(end, place, 1, at);
    };
    for (let at = from; at < text.length; at += 1) {
      const here = rows.get(at);
      if (here !== undefined) {
        rows.delete(at);
        this.#note(here, at, piecesUpTo);
      } else if (!anywhere && at > from) {
        if (rows.size === 0) return;
        continue;
      }
      const mayBegin = anywhere || at === from;
      const code = text.charCodeAt(at);
      if (standsForItself(code)) {
        take(code, at, here, at + 1, mayBegin ? this.#beginsAt(text, at, piecesUpTo) : none);
      } else {
        const { characters, skips } = this.#reader.read(text, at);
        for (const { character, end } of characters) {
          const spelled = character.charCodeAt(0);
          take(spelled, at, here, end, mayBegin ? (this.#places[spelled] ?? none) : none);
        }
        if (here !== undefined) for (const end of skips) rowAt(end).takeAll(here);
      }
      if (here !== undefined) this.#free(here);
    }
    const last = rows.get(text.length);
    if (last === undefined) return;
    this.#note(last, text.length, piecesUpTo);
    this.#free(last);
  }

  /**
   * Returns the places in the row that a piece at this text offset may start from. Three characters rule out most
   * places, unless one has several readings or the piece may be shorter.
   */
  #beginsAt(text: string, at: number, piecesUpTo: ReadonlyMap<number, Piece[]>): Places {
    const [first, second, third] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    const isPlain = standsForItself(second) && standsForItself(third);
    if (!isPlain || piecesUpTo.has(at + 1) || piecesUpTo.has(at + 2)) return this.#places[first] ?? none;
    return this.#placesOfThree.get(threeOf(first, second, third)) ?? none;
  }

  #stands(code: number, place: number): boolean {
    return this.#codes[place] === smallCode(code) || this.#otherCodes[place] === code;
  }

  #note(row: Row, at: number, piecesUpTo: ReadonlyMap<number, Piece[]>): void {
    const pieces = piecesUpTo.get(at);
    if (pieces === undefined) return;
    row.forEach((place, length, start) => void pieces.push(...this.#piecesAt(place, length, start, at)));
  }

  #free(row: Row): void {
    row.clear();
    this.#freeRows.push(row);
  }

  /** Returns one piece, or an empty list between two forms. */
  #piecesAt(place: number, length: number, start: number, end: number): readonly Piece[] {
    const form = this.#formAt[place];
    if (form === undefined) return [];
    const to = place + 1 - form.offset;
    return [{ form, from: to - length, to, start, end }];
  }
}

/** Options for reading a text. */
interface Reading {
  /**
   * Whether pieces may start anywhere. If not, they start at the first offset, and reading ends with the last piece.
   */
  readonly anywhere: boolean;
  readonly minLength: number;
  /** Called for each piece with at least `minLength`, at each of its characters from that length on. */
  readonly onPiece: (place: number, length: number, start: number, end: number) => void;
  /** By offset: collects the longest pieces that end there. */
  readonly piecesUpTo: ReadonlyMap<number, Piece[]>;
}

/** The pieces that end at one offset of a text, one per place of the row. */
class Row {
  readonly #lengths: Int32Array;
  readonly #starts: Int32Array;
  readonly #taken: number[] = [];

  constructor(size: number) {
    this.#lengths = new Int32Array(size);
    this.#starts = new Int32Array(size);
  }

  /** Returns 0 if no piece ends at this place. */
  lengthAt(place: number): number {
    return this.#lengths[place] ?? 0;
  }

  startAt(place: number): number {
    return this.#starts[place] ?? 0;
  }

  /** Stores a piece. The longest wins, then the first to start. */
  reach(place: number, length: number, start: number): void {
    const known = this.lengthAt(place);
    if (known > length || (known === length && this.startAt(place) <= start)) return;
    if (known === 0) this.#taken.push(place);
    this.#lengths[place] = length;
    this.#starts[place] = start;
  }

  takeAll(other: Row): void {
    other.forEach((place, length, start) => this.reach(place, length, start));
  }

  forEach(visit: (place: number, length: number, start: number) => void): void {
    for (const place of this.#taken) visit(place, this.lengthAt(place), this.startAt(place));
  }

  clear(): void {
    for (const place of this.#taken) this.#lengths[place] = 0;
    this.#taken.length = 0;
  }
}

function longest(pieces: readonly Piece[]): Piece | undefined {
  return pieces.reduce<Piece | undefined>(
    (best, piece) => (best === undefined || piece.to - piece.from > best.to - best.from ? piece : best),
    undefined,
  );
}

/** Merges parts that overlap or touch. The result is in ascending order. */
function joined(parts: readonly Part[]): readonly Part[] {
  const whole: Part[] = [];
  for (const part of parts.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = whole.at(-1);
    if (last !== undefined && part.start <= last.end) {
      if (part.end > last.end) whole[whole.length - 1] = { start: last.start, end: part.end };
    } else whole.push(part);
  }
  return whole;
}

/** A place in a text where characters were omitted. Text next to a mask may be a piece of a key. */
export interface Mask {
  readonly start: number;
  readonly end: number;
  /** End of a piece before the mask; absent if no piece can precede it. */
  readonly before?: Side;
  /** Start of a piece after the mask. */
  readonly behind: Side;
}

interface WholeMask extends Mask {
  readonly before: Side;
}

interface Side {
  readonly at: number;
  /** Whether spaces or quotes separate the mask and the piece. */
  readonly isApart: boolean;
}

const words =
  "redact|hidden|mask|trunc|remov|omit|snip|cut|secret|censor|obfusc|elid|strip|private|char|byte|digit|more";

/** Matches one sign of a mask, plain or escaped: stars, dots, bullets and similar characters. */
const bareSign = [
  String.raw`(?:\\{0,4}\*|%2a|&ast;|&#42;|\\u002a)+`,
  String.raw`(?:\.|%2e){2,}`,
  String.raw`[…‥⋯]|\\{1,4}u2026|%e2%80%a6|&(?:hellip|mldr|#8230|#x2026);`,
  String.raw`[•‣∙∘·⋅・･●○◦⬤■□▪▫█▓▒░◼◾＊∗⁎✱✲\ufffd]|🔒|🔑|\\{1,4}u2022|%e2%80%a2|&(?:bull|#8226|#x2022);`,
  String.raw`[x×]{3,}|#{2,}|_{2,}|-{2,}|~{2,}|\?{2,}|\+{2,}|={2,}`,
  "redacted|masked|truncated|hidden",
].join("|");

/** Also matches signs, counts and words in brackets. */
const sign = [
  bareSign,
  String.raw`(?:\[|\(|<|\{|&lt;|%5b|%3c)\s?(?:[.…*•x_\s-]{1,40}|\+?\d{1,3}\s?)(?:\]|\)|>|\}|&gt;|%5d|%3e)`,
  String.raw`(?:\[|\(|<|\{|&lt;|%5b|%3c)[^\[\](){}<>]{0,40}?(?:${words})[^\[\](){}<>]{0,40}?(?:\]|\)|>|\}|&gt;|%5d|%3e)`,
].join("|");

/** Use both patterns, because brackets may contain a mask with pieces: `{"error":"bad key ab12...yz89"}`. */
const masks = [bareSign, sign].map(
  (each) =>
    new RegExp(
      `(["'\\x60]?[ \\t]{0,2})((?:${each})(?:[ \\t]{0,2}(?:${each}))*)([ \\t]{0,2}["'\\x60]?)`,
      "gi",
    ),
);

const count = "(?:\\d{1,2}|three|four|five|six|seven|eight|ten|few)";
const signs = "(?:chars?|characters|digits|letters|symbols)";

/** Matches words that announce a piece: "ending in", "starts with", `key_suffix`, "last 8", `"last": "`. */
const announcement = new RegExp(
  `(?:${[
    String.raw`(?:end(?:s|ed|ing)?|start(?:s|ed|ing)?|beg[iau]n(?:s|ning)?)[ _-]{1,2}(?:in|with|on|by|at)`,
    String.raw`(?<![a-z])(?:end(?:s|ing)?|start(?:s|ing)?|tail)`,
    String.raw`(?:pre|suf|post)fix`,
    String.raw`(?:key|token)[ _-](?:head|tail|hint|end|start)`,
    String.raw`\b(?:endet|endend|beginnt|beginnend) (?:auf|mit)|\beindig(?:t|end) (?:op|met)`,
    String.raw`\btermina?(?:e|nt|nte|da|do)? (?:par|en|em|con|com|in)|\bcomm?en[cç]ant par`,
    String.raw`(?:оканчива|заканчива|начина)[а-я]{2,8} (?:на|с)`,
    String.raw`(?:\b|_)(?:first|last|final|leading|trailing)[ _-]?(?:${count}(?:[ _-]?${signs})?|${signs}|(?=["']?\s?[:=]))`,
  ].join(
    "|",
  )})(?: of (?:your|the|this) (?:api )?(?:key|token))?(?:[\\s:=("'\\x60[<\\\\]|is\\b|are\\b|&quot;){1,12}` +
    // Languages without spaces between words.
    "|(?:尾号|尾數|末尾|先頭|开头|開頭|结尾|結尾|后缀|後綴|前缀|前綴|[前后後末][四六八\\d][位个個]|以)[\\s为為是がはの：:「『“\"'(（]{0,4}",
  "gi",
);

/** Finds all masks in linear time. */
function findMasks(text: string): readonly Mask[] {
  const found = masks.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 1: before = "", 2: core = "", 3: behind = "" }): WholeMask => {
      const start = index + before.length;
      const end = start + core.length;
      return {
        start,
        end,
        before: { at: index, isApart: before !== "" },
        behind: { at: end + behind.length, isApart: behind !== "" },
      };
    }),
  );
  const announced = [...text.matchAll(announcement)].map(({ index, 0: { length } }): Mask => {
    const at = index + length;
    return { start: at, end: at, behind: { at, isApart: false } };
  });
  return [...found, ...found.flatMap((mask) => besideJoint(text, mask)), ...announced];
}

/** Characters that may join a mask to a piece, as in `sk-***-ab12cd`, but may also belong to the piece. */
const joint = /[-_:=./#]/;

/** Returns the mask extended by its joints, or an empty list if it has no joints. */
function besideJoint(text: string, mask: WholeMask): readonly Mask[] {
  const isBefore = joint.test(text.charAt(mask.before.at - 1));
  const isBehind = joint.test(text.charAt(mask.behind.at));
  if (!isBefore && !isBehind) return [];
  return [
    {
      ...mask,
      before: isBefore ? { at: mask.before.at - 1, isApart: true } : mask.before,
      behind: isBehind ? { at: mask.behind.at + 1, isApart: true } : mask.behind,
    },
  ];
}

/** Matches public prefixes of keys, which also occur in help texts. */
const knownPrefix =
  /^(?:sk|pk|rk|ak)[-_](?:(?:ant-[a-z]{2,6}\d{2}|or-v\d+|proj|svcacct|service|admin|none|live|test|demo|prod|dev|lf|bf|litellm|user|org|key|api)[-_])?|^github_pat_|^(?:tgp|dop)_v\d_|^[a-z]{1,4}\d?[-_]|^(?:nvapi|glpat|token)[-_]/i;

/** Matches another word before a key, such as the service name: `acmecloud-`. */
const leadingWord = /^[a-z]{5,12}[-_]/;

/** Number of characters after such a word that may match by chance: `acmecloud-chat` and the key `acmecloud-c7...`. */
const chance = 2;

/** The start of a key that only identifies the service, so it is not secret. */
export interface PublicPrefix {
  readonly length: number;
  /** A piece only reveals something if it extends beyond this offset of the key. */
  readonly reach: number;
}

function publicPrefixOf(key: string): PublicPrefix {
  const known = knownPrefix.exec(key)?.[0].length ?? 0;
  if (known > 0) return { length: known, reach: Math.min(known, key.length - 1) };
  const length = leadingWord.exec(key)?.[0].length ?? 0;
  return { length, reach: length === 0 ? 0 : Math.min(length + chance, key.length - 1) };
}
