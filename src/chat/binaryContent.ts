const inspected = 8192;

/** The text of UTF-8 or UTF-16 bytes; undefined where they are no text. A byte order mark is dropped. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = markedEncoding(bytes);
  // Texts of other encodings than UTF-16 hold no zero bytes.
  if (encoding === "utf-8" && bytes.subarray(0, inspected).includes(0)) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return decodeLegacy(bytes);
  }
}

function markedEncoding([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** A text in an old encoding has few bytes that cannot be read; what else there is has many. */
function decodeLegacy(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, inspected).includes(0)) return undefined;
  const text = new TextDecoder("windows-1252").decode(bytes);
  // oxlint-disable-next-line no-control-regex -- exactly these tell a text from other bytes
  const odd = text.slice(0, inspected).match(/[\u0001-\u0008\u000e-\u001f\u007f]/g)?.length ?? 0;
  return odd > Math.min(text.length, inspected) / 100 ? undefined : text;
}
