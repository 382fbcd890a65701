import { latinAlphabets, usualCharacters } from "./writtenLanguages.ts";

/** A label of `TextDecoder` for an encoding other than UTF-8 and UTF-16. */
export type LegacyEncoding =
  | "shift_jis"
  | "euc-jp"
  | "gb18030"
  | "big5"
  | "euc-kr"
  | "windows-874"
  | "windows-1250"
  | "windows-1251"
  | "windows-1252"
  | "windows-1253"
  | "windows-1254"
  | "windows-1255"
  | "windows-1256"
  | "windows-1257"
  | "koi8-r";

interface Candidate {
  readonly encoding: LegacyEncoding;
  readonly text: string;
  /** How much the text resembles natural text: about 1 for typical text, below 0 for implausible text. */
  readonly score: number;
}

/** Number of bytes to inspect. Only lines with non-ASCII bytes count. */
const looked = 8192;
/** Minimum score for a guess. */
const minScore = 0.4;
/**
 * Minimum lead over the score of the next best text. A multi-byte encoding needs a larger lead if there are at most 4
 * non-ASCII bytes (two characters).
 */
const minLead = 0.08;
const minLeadOfFew = 0.15;
const fewBytes = 4;
/** Minimum number of non-ASCII bytes for single-byte encodings of other scripts than Latin. */
const minNonLatinLetters = 4;

/** Subtracted from the score of rare encodings, so that they need better evidence. */
const rarity: Readonly<Partial<Record<LegacyEncoding, number>>> = {
  "koi8-r": 0.15,
  "windows-874": 0.1,
  "windows-1250": 0.1,
  "windows-1254": 0.1,
  "windows-1257": 0.15,
};

const multiByte = ["gb18030", "shift_jis", "big5", "euc-kr", "euc-jp"] as const;
const singleByte = [
  "windows-1252",
  "windows-1251",
  "windows-1250",
  "windows-1254",
  "windows-1257",
  "windows-1253",
  "windows-1255",
  "windows-1256",
  "windows-874",
  "koi8-r",
] as const;

/**
 * Guesses the encoding of a text that is not UTF-8. Decodes the bytes in each encoding and scores the results. Returns
 * undefined if no result is plausible, or if two different texts score about the same.
 */
export function guessEncoding(bytes: Uint8Array): LegacyEncoding | undefined {
  const lines = significantLines(bytes);
  const high = lines.reduce((sum, line) => sum + countHigh(line), 0);
  const ofLetters = singleByte.filter(
    (encoding) => latinAlphabets[encoding] !== undefined || high >= minNonLatinLetters,
  );
  const candidates = [
    ...multiByte.map((encoding) => candidateOf(encoding, lines, scoreOfPairs)),
    ...ofLetters.map((encoding) => candidateOf(encoding, lines, scoreOfLetters)),
  ].sort((one, other) => other.score - one.score);
  const [best] = candidates;
  if (best === undefined || best.score < minScore) return undefined;
  const other = candidates.find(({ text }) => text !== best.text);
  const isOfPairs = multiByte.some((encoding) => encoding === best.encoding);
  const hasFew = isOfPairs && high <= fewBytes;
  const lead = best.score - (other?.score ?? 0);
  return lead < (hasFew ? minLeadOfFew : minLead) ? undefined : best.encoding;
}

/**
 * Returns the lines with non-ASCII bytes, up to the number of bytes to inspect. In all these encodings, a line feed is
 * never part of another character.
 */
function significantLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  let [start, length] = [0, 0];
  while (start < bytes.length && length < looked) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    const line = significantPart(bytes.subarray(start, end));
    if (line !== undefined) {
      lines.push(line);
      length += line.length;
    }
    start = end;
  }
  return lines;
}

/**
 * Returns the part of the line that begins 64 bytes before its first non-ASCII byte. A long part is cut, without a
 * partial character at the end. Returns undefined for ASCII.
 */
function significantPart(line: Uint8Array): Uint8Array | undefined {
  const first = line.findIndex((byte) => byte >= 0x80);
  if (first < 0) return undefined;
  const part = line.subarray(Math.max(0, first - 64), first + looked);
  if (first + looked >= line.length) return part;
  // Bytes below the ASCII digits never continue a character.
  const end = part.findLastIndex((byte) => byte < 0x30);
  return end < 0 ? part : part.subarray(0, end + 1);
}

const countHigh = (bytes: Uint8Array): number =>
  bytes.reduce((count, byte) => (byte < 0x80 ? count : count + 1), 0);

/** Sum of the points of a line, and the number of bytes or characters that were scored. */
interface Points {
  readonly sum: number;
  readonly count: number;
}

/** Scores an encoding. A line that cannot be decoded scores like implausible text: -1 per non-ASCII byte. */
function candidateOf(
  encoding: LegacyEncoding,
  lines: readonly Uint8Array[],
  score: (encoding: LegacyEncoding, text: string, bytes: Uint8Array) => Points,
): Candidate {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const texts: string[] = [];
  let [sum, count] = [0, 0];
  for (const line of lines) {
    let points: Points;
    try {
      const text = decoder.decode(line);
      texts.push(text);
      points = score(encoding, text, line);
    } catch {
      const high = countHigh(line);
      points = { sum: -high, count: high };
    }
    sum += points.sum;
    count += points.count;
  }
  return { encoding, text: texts.join(""), score: sum / Math.max(count, 1) - (rarity[encoding] ?? 0) };
}

/** Scores a text in a multi-byte encoding. */
function scoreOfPairs(encoding: LegacyEncoding, text: string, bytes: Uint8Array): Points {
  let [sum, count, at] = [0, 0, 0];
  for (const character of text) {
    const lead = bytes[at] ?? 0;
    const length = lengthOf(encoding, lead, bytes[at + 1] ?? 0);
    if (lead >= 0x80) {
      const isInWord = isAsciiLetter(bytes[at + 1]) && isAsciiLetter(bytes[at + 2]);
      sum += length * pointsOfPair(encoding, character, lead, bytes[at + 1] ?? 0, isInWord);
      count += length;
    }
    at += length;
  }
  return { sum, count };
}

const isAsciiLetter = (byte = 0): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/** Returns the number of bytes of a character. */
function lengthOf(encoding: LegacyEncoding, lead: number, next: number): number {
  if (lead < 0x80 || (encoding === "shift_jis" && lead >= 0xa0 && lead <= 0xdf)) return 1;
  if (encoding === "gb18030" && lead > 0x80) return next >= 0x30 && next <= 0x39 ? 4 : 2;
  return encoding === "euc-jp" && lead === 0x8f ? 3 : 2;
}

function pointsOfPair(
  encoding: LegacyEncoding,
  character: string,
  lead: number,
  next: number,
  isInWord: boolean,
): number {
  // oxlint-disable-next-line no-control-regex -- control characters reveal a wrong encoding
  if (/[\u0080-\u009f\p{Co}\p{Cn}]/u.test(character)) return -1;
  // Probably a symbol of another encoding, merged with the first letter of a word.
  if (isInWord) return -0.3;
  switch (encoding) {
    case "gb18030":
      if (usualCharacters.simplifiedChinese.has(character)) return 1;
      if (next >= 0xa1 && lead >= 0xb0 && lead <= 0xd7) return 0.4;
      if (isWidePunctuation(character)) return 0.6;
      return next >= 0xa1 && lead >= 0xd8 && lead <= 0xf7 ? -0.2 : -0.7;
    case "big5":
      if (usualCharacters.traditionalChinese.has(character)) return 1;
      if (lead >= 0xa4 && lead <= 0xc6) return 0.4;
      return isWidePunctuation(character) ? 0.6 : -0.5;
    case "euc-kr":
      if (usualCharacters.korean.has(character)) return 1;
      if (/[\uac00-\ud7a3]/.test(character)) return lead >= 0xb0 && lead <= 0xc8 && next >= 0xa1 ? 0.6 : -0.5;
      return isWidePunctuation(character) ? 0.4 : -0.5;
    default:
      return pointsOfJapanese(encoding, character, lead);
  }
}

function pointsOfJapanese(encoding: LegacyEncoding, character: string, lead: number): number {
  if (/[\u3041-\u3096\u30a1-\u30fc]/.test(character)) return 1;
  if (usualCharacters.japanese.has(character)) return 1;
  if (isWidePunctuation(character)) return 0.6;
  if (/[\uff61-\uff9f]/.test(character)) return encoding === "shift_jis" ? 0.1 : -0.5;
  const isFirstLevel = encoding === "shift_jis" ? lead >= 0x88 && lead <= 0x97 : lead >= 0xb0 && lead <= 0xcf;
  return /\p{Script=Han}/u.test(character) && isFirstLevel ? 0.4 : -0.6;
}

const isWidePunctuation = (character: string): boolean =>
  /[\u3000-\u3011\u2014\u2018-\u201d\u2026\u2192\u00b7\uff01-\uff5e]/.test(character);

/** Scores a text in a single-byte encoding. */
function scoreOfLetters(encoding: LegacyEncoding, text: string): Points {
  switch (encoding) {
    case "windows-1251":
    case "koi8-r":
      return scoreOfWords(text, pointsOfCyrillic);
    case "windows-1253":
      return scoreOfWords(text, pointsOfGreek);
    case "windows-1255":
      return scoreOfWords(text, pointsOfHebrew);
    case "windows-1256":
      return scoreOfWords(text, pointsOfArabic);
    case "windows-874":
      return scoreOfWords(text, pointsOfThai);
    default: {
      const alphabets = latinAlphabets[encoding] ?? [];
      const isWestern = encoding === "windows-1252";
      return alphabets
        .map((each) => scoreOfWords(text, pointsOfLatin(each, isWestern)))
        .reduce((one, other) => (other.sum > one.sum ? other : one));
    }
  }
}

/**
 * Scores a character by its context. `before` and `after` are its neighbors; `ahead` is the character before `before`.
 * A missing character is an empty string.
 */
type PointsOfLetter = (character: string, before: string, after: string, ahead: string) => number;

function scoreOfWords(text: string, points: PointsOfLetter): Points {
  let [sum, count] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character < "\u0080") continue;
    count += 1;
    // Text rarely repeats a letter three times; binary data does.
    const isRepeated = character === text.charAt(at - 1) && character === text.charAt(at - 2);
    sum +=
      isUnwritten(character) || (isRepeated && isLetter(character))
        ? -1
        : points(character, text.charAt(at - 1), text.charAt(at + 1), text.charAt(at - 2));
  }
  return { sum, count };
}

// oxlint-disable-next-line no-control-regex -- control characters reveal a wrong encoding
const isUnwritten = (character: string): boolean => /[\u0080-\u009f\p{Co}\p{Cn}]/u.test(character);
const isLetter = (character: string): boolean => /[\p{L}\p{M}]/u.test(character);
const isUpper = (character: string): boolean => /\p{Lu}/u.test(character);
const isLower = (character: string): boolean => /\p{Ll}/u.test(character);

/** Scores punctuation and symbols of the legacy encodings. */
function pointsOfSign(character: string, before: string, after: string): number {
  if (
    /[\u00a0\u00a9\u00ae\u00b0\u00a7\u00ab\u00bb\u2013\u2014\u2018-\u201e\u2022\u2026\u2122\u20ac\u00a3\u00b1\u00b5\u2116\u00b7]/.test(
      character,
    )
  ) {
    // A symbol inside a word is a letter of another encoding, except for an apostrophe or a middle dot.
    return isLetter(before) && isLetter(after) && !/[\u2019\u00b7]/.test(character) ? -1 : 0.5;
  }
  if (/[\u00bf\u00a1]/.test(character)) return isLetter(before) || !isLetter(after) ? -1 : 0.9;
  return /[\u00ba\u00aa\u00b2\u00b3\u00bd\u00bc\u00d7]/.test(character) && !isLetter(after) ? 0.2 : -0.8;
}

/** Whether a capital breaks the case of its word. Capitals begin a word or fill all of it. */
const breaksCase = (character: string, before: string, ahead: string): boolean =>
  isUpper(character) && (isLower(before) || (isUpper(before) && isLower(ahead)));

const pointsOfCyrillic: PointsOfLetter = (character, before, after, ahead) => {
  if (!/\p{Script=Cyrillic}/u.test(character)) return pointsOfSign(character, before, after);
  if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(after) || breaksCase(character, before, ahead)) return -1;
  // Two capitals, then a small letter: the letters belong to another encoding.
  if (isLower(character) && isUpper(before) && isUpper(ahead)) return -1;
  const small = character.toLowerCase();
  const share = isUpper(character) && isUpper(before) ? 0.8 : 1;
  if (usualCharacters.russian.has(small)) return share;
  return /[\u0430-\u044f\u0451\u0454\u0456\u0457\u0491]/.test(small) ? share * 0.4 : -0.5;
};

const pointsOfGreek: PointsOfLetter = (character, before, after, ahead) => {
  if (!/\p{Script=Greek}/u.test(character)) return pointsOfSign(character, before, after);
  if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(after) || breaksCase(character, before, ahead)) return -1;
  if (isLower(character) && isUpper(before) && isUpper(ahead)) return -1;
  // A capital has an accent only as the first letter of a word.
  if (/[\u0386-\u038f]/.test(character) && isLetter(before)) return -1;
  if (character === "\u03c2") return isLetter(after) ? -1 : 1.3;
  if (character === "\u03c3" && !isLetter(after)) return -1;
  // Nearly every Greek word has an accent.
  if (/[\u03ac-\u03af\u03cc-\u03ce]/.test(character)) return 1.2;
  return usualCharacters.greek.has(character.toLowerCase()) ? 0.95 : 0.4;
};

const pointsOfHebrew: PointsOfLetter = (character, before, after) => {
  if (!/\p{Script=Hebrew}/u.test(character)) return pointsOfSign(character, before, after);
  if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(after)) return -1;
  // Vowel marks are rare outside of prayers and children's books.
  if (character < "\u05d0") return -0.5;
  // Five letters have a special form at the end of a word.
  const isFinal = /[\u05da\u05dd\u05df\u05e3\u05e5]/.test(character);
  if (isFinal) return isLetter(after) ? -1 : 1;
  return /[\u05de\u05e0]/.test(character) && isLetter(before) && !isLetter(after) ? -1 : 0.85;
};

const pointsOfArabic: PointsOfLetter = (character, before, after) => {
  if (/[\u060c\u061b\u061f]/.test(character)) return 0.6;
  if (!/\p{Script=Arabic}/u.test(character)) return Math.min(0.2, pointsOfSign(character, before, after));
  if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(after)) return -1;
  if (usualCharacters.arabic.has(character)) return 0.95;
  return /[\u0621-\u0652]/.test(character) ? 0.5 : -0.3;
};

const pointsOfThai: PointsOfLetter = (character, before, after) => {
  if (!/[\u0e01-\u0e5b]/.test(character)) return -0.5;
  if (/[A-Za-z]/.test(before) || /[A-Za-z]/.test(after)) return -0.8;
  if (![before, after].some((each) => /[\u0e01-\u0e5b]/.test(each))) return -0.5;
  // Vowel and tone marks follow a consonant.
  const isMark = /[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/.test(character);
  if (isMark && !/[\u0e01-\u0e2e\u0e31\u0e34-\u0e39]/.test(before)) return -1;
  return usualCharacters.thai.has(character) ? 0.9 : 0.2;
};

function pointsOfLatin(alphabet: ReadonlySet<string>, isWestern: boolean): PointsOfLetter {
  return (character, before, after, ahead) => {
    if (!isLetter(character) || /[\u00aa\u00b5\u00ba]/.test(character))
      return pointsOfSign(character, before, after);
    if (breaksCase(character, before, ahead)) return -1;
    // Three non-ASCII letters in a row are rare in Western European languages.
    if (isWestern && [before, ahead].every((each) => each > "\u0080" && isLetter(each))) return -1;
    if (isLower(character) && isUpper(after)) return -1;
    // In Western European languages, `ì` ends a word, and `è` does not follow `a` or `e`.
    if (isWestern && ((character === "ì" && isLetter(after)) || (character === "è" && /[ae]/i.test(before))))
      return -0.5;
    if (/\d/.test(before) || /\d/.test(after)) return -0.5;
    // Few words consist of one non-ASCII letter.
    if (!isLetter(before) && !isLetter(after) && !/[àáéèòóåæøô]/i.test(character)) return 0.3;
    return alphabet.has(character) || alphabet.has(character.toLowerCase()) ? 0.8 : -0.5;
  };
}
