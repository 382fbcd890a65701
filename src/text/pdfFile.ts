/**
 * Kinds of files, by their bytes. `fake`: only the name says that it is a PDF file. `cut`: its end is missing. Services read
 * no `encrypted` file, even if it opens without a password.
 */
export type PdfReading = "pdf" | "other" | "empty" | "fake" | "cut" | "encrypted";

/** Bytes at the start in which readers look for the mark of a PDF file. */
const headLength = 1024;
const mark = "%PDF-";

/** Recognizes a PDF file by its content. The name decides only what is said about a file that is none. */
export function readPdfFile(name: string, bytes: Uint8Array): PdfReading {
  const isNamed = isPdfName(name);
  const head = decode(bytes.subarray(0, headLength));
  // A text about PDF files may contain the mark.
  const isMarked = isNamed ? head.includes(mark) : head.startsWith(mark);
  if (!isMarked && !isNamed) return "other";
  if (bytes.length === 0) return "empty";
  if (!isMarked) return "fake";
  const text = decode(bytes);
  const end = text.lastIndexOf("startxref");
  if (end === -1 || !text.includes("%%EOF", end)) return "cut";
  return /\/Encrypt\s*(?:\d|<<)/.test(trailerOf(text, end)) ? "encrypted" : "pdf";
}

export function isPdfName(name: string): boolean {
  return /\.pdf$/i.test(name);
}

/** The dictionary that says how to read the file. Its place is written behind the last `startxref`. */
function trailerOf(text: string, end: number): string {
  const place = Number(/^startxref\s+(\d{1,12})\s/.exec(text.slice(end, end + 40))?.[1]);
  // Bytes before the mark move all places. The dictionary is usually the last one then.
  const isPlace = /^\s*(?:xref|\d+\s+\d+\s+obj)\b/.test(text.slice(place, place + 40));
  const start = isPlace ? place : text.lastIndexOf("trailer", end);
  const rest = text.slice(Math.max(0, start), end);
  const stream = rest.search(/\bstream\r?\n/);
  return stream === -1 ? rest : rest.slice(0, stream);
}

/** One character for each byte. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
