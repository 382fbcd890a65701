import { readdir } from "node:fs/promises";
import path from "node:path";
import { isErrorCode } from "../../src/files/diskFiles.ts";

/**
 * Returns the encodings of a secret, or of its start: UTF-8, UTF-16, URL encoding, hexadecimal, and base64 at each
 * of three offsets. The base64 forms leave out characters that also depend on adjacent text.
 */
export function formsOf(secret: string): readonly Buffer[] {
  const { length } = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + length) * 8) / 6);
    return Buffer.from("x".repeat(offset) + secret)
      .toString("base64")
      .slice(first, end);
  });
  const texts = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex"), ...base64];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, "utf16le")];
}

/** Returns the absolute paths of all files below a folder. Other programs may still be changing the folder. */
export async function filesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(root, entry.name);
      if (entry.isDirectory()) return filesBelow(place).catch(noFilesWhereGone);
      return entry.isFile() ? [place] : [];
    }),
  );
  return files.flat();
}

function noFilesWhereGone(error: unknown): readonly string[] {
  if (isErrorCode(error, "ENOENT")) return [];
  throw error;
}
