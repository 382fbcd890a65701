import { encodingName } from "./encodingNames.ts";
import { guessEncoding } from "./guessEncoding.ts";
import { wholeStart } from "./cutText.ts";

/** The result of decoding the bytes of a file. */
export type Decoded =
  | DecodedText
  /** An image, a program or other binary data. */
  | { readonly kind: "binary" }
  /** Possibly text, in an encoding that could not be determined. */
  | { readonly kind: "unknown" };

export interface DecodedText {
  readonly kind: "text";
  /** Without a byte order mark. */
  readonly text: string;
  /** Display name, such as `UTF-8` or `Shift JIS`. */
  readonly encoding: string;
  /** Whether the encoding was guessed from the bytes and may be wrong. */
  readonly guessed: boolean;
  /** Number of replacement characters for bytes that could not be decoded. */
  readonly unread: number;
}

/** The text of a file as decoded by VS Code, and the encoding. */
export interface EditorReading {
  readonly text: string;
  readonly encoding: string;
  /** True if VS Code guessed because a setting allows it; false if a setting names the encoding. */
  readonly guessed: boolean;
}

const inspected = 8192;
const replacement = "\ufffd";

/**
 * Decodes the bytes of a file. Determines the encoding from, in this order: a byte order mark, zero bytes (UTF-16),
 * mostly valid UTF-8, the setting in VS Code, a guess.
 */
export function decodeBytes(bytes: Uint8Array, byEditor?: EditorReading): Decoded {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return decodeMarked(bytes, marked);
  if (bytes.subarray(0, inspected).includes(0)) return decodeUnmarkedUtf16(bytes);
  if (isAscii(bytes)) return decodeAscii(bytes);
  const utf8 = decodeUtf8(bytes);
  if (utf8 === undefined && hasControlCharacters(bytes)) return { kind: "binary" };
  const reading = byEditor?.text.includes(replacement) === false ? byEditor : undefined;
  const bySetting = reading?.guessed === false ? known(reading.text, reading.encoding) : undefined;
  if (utf8 !== undefined) {
    // Text in another encoding can be valid UTF-8 by chance. Prefer the encoding in the setting only if a guess gives
    // the same text.
    return bySetting !== undefined && bySetting.text === guessText(bytes)?.text ? bySetting : utf8;
  }
  if (bySetting !== undefined) return bySetting;
  const guess = guessText(bytes);
  if (guess !== undefined) return guess;
  return reading === undefined ? decodeMostlyAscii(bytes) : textOf(reading.text, reading.encoding, true);
}

/** Whether the encoding setting of VS Code can affect how the bytes are decoded. */
export function dependsOnSetting(bytes: Uint8Array): boolean {
  return markedEncoding(bytes) === undefined && !bytes.subarray(0, inspected).includes(0) && !isAscii(bytes);
}

function guessText(bytes: Uint8Array): DecodedText | undefined {
  const encoding = guessEncoding(bytes);
  return encoding === undefined ? undefined : textOf(decodeAs(bytes, encoding), encodingName(encoding), true);
}

function known(text: string, encoding: string): DecodedText {
  return textOf(text, encoding, false);
}

function textOf(text: string, encoding: string, guessed: boolean): DecodedText {
  return { kind: "text", text, encoding, guessed, unread: countUnread(text) };
}

function countUnread(text: string): number {
  return text.includes(replacement) ? text.split(replacement).length - 1 : 0;
}

function markedEncoding([first, second, third, fourth]: Uint8Array):
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "utf-32"
  | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32" : "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

function decodeMarked(bytes: Uint8Array, encoding: "utf-8" | "utf-16le" | "utf-16be" | "utf-32"): Decoded {
  if (encoding === "utf-32") return { kind: "unknown" };
  const text = decodeAs(bytes, encoding);
  return encoding === "utf-8" || hasNoControlCharacters(text)
    ? known(text, encodingName(encoding))
    : { kind: "binary" };
}

/**
 * Decodes UTF-16 without a byte order mark, in which every other byte is mostly zero. A short text of odd length is
 * binary: it would end in half a code unit.
 */
function decodeUnmarkedUtf16(bytes: Uint8Array): Decoded {
  if (bytes.length < inspected && bytes.length % 2 === 1) return { kind: "binary" };
  const start = bytes.subarray(0, inspected);
  const [first, second] = [0, 1].map(
    (parity) => start.filter((byte, at) => byte === 0 && at % 2 === parity).length,
  );
  const encoding = (second ?? 0) >= (first ?? 0) ? "utf-16le" : "utf-16be";
  const text = decodeAs(bytes, encoding);
  const shown = wholeStart(text, inspected);
  const isText = hasNoControlCharacters(text) && unwritten.exec(shown) === null && hasSpaces(shown);
  return isText ? textOf(text, encodingName(encoding), true) : { kind: "binary" };
}

/** Matches characters that make UTF-16 implausible: unassigned ones, and scripts that old programs did not support. */
const unwritten =
  /[^\s\u0020-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u1e00-\u27bf\u2e80-\ufeff\uff00-\uffef\ufffd\u{1f000}-\u{1faff}\u{20000}-\u{2ffff}]|\p{Cn}|\p{Co}|\p{Cs}/u;

/**
 * Whether at least half of the characters are ASCII. Also true if at least one is ASCII and 90 % are ASCII or letters
 * of common scripts.
 */
function hasSpaces(text: string): boolean {
  const ascii = text.match(/[\t\n\r\u0020-\u007e]/g)?.length ?? 0;
  if (ascii * 2 >= text.length) return true;
  const letters =
    text.match(/[\u0370-\u06ff\u0900-\u0e7f\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]/g)?.length ??
    0;
  return ascii > 0 && (ascii + letters) * 10 >= text.length * 9;
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/**
 * Decodes ASCII bytes, as ISO-2022-JP if they contain its escape sequences. Japanese email and old tools use this
 * encoding.
 */
function decodeAscii(bytes: Uint8Array): Decoded {
  const text = decodeAs(bytes, "utf-8");
  if (!text.includes("\u001b$")) return known(text, encodingName("utf-8"));
  try {
    return textOf(
      new TextDecoder("iso-2022-jp", { fatal: true }).decode(bytes),
      encodingName("iso-2022-jp"),
      true,
    );
  } catch {
    return known(text, encodingName("utf-8"));
  }
}

/**
 * Decodes UTF-8, even with invalid bytes if the valid multi-byte characters clearly outweigh them. Otherwise returns
 * undefined.
 */
function decodeUtf8(bytes: Uint8Array): DecodedText | undefined {
  const text = decodeAs(bytes, "utf-8");
  const decoded = known(text, encodingName("utf-8"));
  if (decoded.unread === 0) return decoded;
  let evidence = 0;
  for (const character of text) {
    // A longer sequence is less likely to be valid by chance.
    if (character !== replacement && character >= "\u0080") evidence += character < "\u0800" ? 1 : 2;
  }
  return evidence >= 2 * decoded.unread ? decoded : undefined;
}

/** Decodes the text with replacement characters if at most 5 % of the bytes are not ASCII. */
function decodeMostlyAscii(bytes: Uint8Array): Decoded {
  const high = bytes.reduce((count, byte) => (byte < 0x80 ? count : count + 1), 0);
  return high * 20 <= bytes.length
    ? known(decodeAs(bytes, "utf-8"), encodingName("utf-8"))
    : { kind: "unknown" };
}

/** Whether the bytes have too many control characters for text in a legacy encoding. */
function hasControlCharacters(bytes: Uint8Array): boolean {
  return !hasNoControlCharacters(decodeAs(bytes.subarray(0, inspected), "windows-1252"));
}

function hasNoControlCharacters(text: string): boolean {
  const start = text.slice(0, inspected);
  // oxlint-disable-next-line no-control-regex -- control characters distinguish binary data from text
  const odd = start.match(/[\u0000-\u0008\u000e-\u001f\u007f]/g)?.length ?? 0;
  return odd * 100 <= start.length && !start.includes("\u0000");
}

/** Decodes bytes; invalid ones become U+FFFD. */
function decodeAs(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}
