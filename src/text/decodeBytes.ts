import { encodingName } from "./encodingNames.ts";
import { guessEncoding } from "./guessEncoding.ts";
import { wholeStart } from "./cutText.ts";

/** What the bytes of a file are as a text. */
export type Decoded =
  | DecodedText
  /** An image, a program or the like. */
  | { readonly kind: "binary" }
  /** Perhaps a text, in an encoding that could not be told. */
  | { readonly kind: "unknown" };

export interface DecodedText {
  readonly kind: "text";
  /** Without a byte order mark. */
  readonly text: string;
  /** As people call it, such as `UTF-8` or `Shift JIS`. */
  readonly encoding: string;
  /** Whether the bytes alone had to tell the encoding, and could mean another one. */
  readonly guessed: boolean;
  /** Characters in the text that stand for bytes that could not be read. */
  readonly unread: number;
}

/** How the editor reads a file, as a text and as the name of its encoding. */
export interface EditorReading {
  readonly text: string;
  readonly encoding: string;
  /** The editor has guessed, because a setting tells it to; false where the setting names the encoding. */
  readonly guessed: boolean;
}

const inspected = 8192;
const replacement = "\ufffd";

/**
 * Reads the bytes of a file. A byte order mark tells most, then valid UTF-8, then the editor's setting, then a guess.
 * UTF-8 with broken bytes stays UTF-8.
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
    // Two characters of another encoding can be valid UTF-8. Only the setting and the guess together say so.
    return bySetting !== undefined && bySetting.text === guessText(bytes)?.text ? bySetting : utf8;
  }
  if (bySetting !== undefined) return bySetting;
  const guess = guessText(bytes);
  if (guess !== undefined) return guess;
  return reading === undefined ? decodeMostlyAscii(bytes) : textOf(reading.text, reading.encoding, true);
}

/** Whether the editor's setting can matter for how bytes are read. */
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

/** Every other byte of most texts in UTF-16 is zero. A text of a few characters has no half of one at its end. */
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

/** Characters that no text in UTF-16 has: unassigned ones, and those of scripts that old programs did not know. */
const unwritten =
  /[^\s\u0020-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u1e00-\u27bf\u2e80-\ufeff\uff00-\uffef\ufffd\u{1f000}-\u{1faff}\u{20000}-\u{2ffff}]|\p{Cn}|\p{Co}|\p{Cs}/u;

/** Half of a text's characters are ASCII, or some of them are and the others are letters of one of the wide scripts. */
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

/** Japanese mail and old tools switch between ASCII and two-byte characters by escape sequences. */
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

/** UTF-8, also with broken bytes as long as most other bytes are such as only UTF-8 has. */
function decodeUtf8(bytes: Uint8Array): DecodedText | undefined {
  const text = decodeAs(bytes, "utf-8");
  const decoded = known(text, encodingName("utf-8"));
  if (decoded.unread === 0) return decoded;
  let evidence = 0;
  for (const character of text) {
    // The longer a character's bytes, the less they are valid by chance.
    if (character !== replacement && character >= "\u0080") evidence += character < "\u0800" ? 1 : 2;
  }
  return evidence >= 2 * decoded.unread ? decoded : undefined;
}

/** Where few bytes cannot be read the rest is worth having; their places are marked. */
function decodeMostlyAscii(bytes: Uint8Array): Decoded {
  const high = bytes.reduce((count, byte) => (byte < 0x80 ? count : count + 1), 0);
  return high * 20 <= bytes.length
    ? known(decodeAs(bytes, "utf-8"), encodingName("utf-8"))
    : { kind: "unknown" };
}

/** A text in an old encoding has few control characters; what else there is has many. */
function hasControlCharacters(bytes: Uint8Array): boolean {
  return !hasNoControlCharacters(decodeAs(bytes.subarray(0, inspected), "windows-1252"));
}

function hasNoControlCharacters(text: string): boolean {
  const start = text.slice(0, inspected);
  // oxlint-disable-next-line no-control-regex -- exactly these tell a text from other bytes
  const odd = start.match(/[\u0000-\u0008\u000e-\u001f\u007f]/g)?.length ?? 0;
  return odd * 100 <= start.length && !start.includes("\u0000");
}

/** What cannot be read becomes U+FFFD. */
function decodeAs(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}
