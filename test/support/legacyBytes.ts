/**
 * Encodes a text in an encoding that `TextEncoder` does not support, with tables from `TextDecoder`. Throws if the
 * encoding lacks a character.
 */
export function legacyBytes(encoding: string, text: string): Uint8Array {
  if (encoding.startsWith("utf-16")) return utf16Bytes(encoding, text);
  const table = tableOf(encoding);
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return [...bytes];
    }),
  );
}

function utf16Bytes(encoding: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf16le");
  return Uint8Array.from(encoding === "utf-16be" ? bytes.swap16() : bytes);
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding) ?? makeTable(encoding);
  tables.set(encoding, known);
  return known;
}

function makeTable(encoding: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(character).length === 1 && !table.has(character)) table.set(character, bytes);
    } catch {
      // These bytes are not a character.
    }
  };
  for (let byte = 0; byte < 256; byte += 1) add([byte]);
  if (/^(?:windows|koi8|iso-8859)/.test(encoding)) return table;
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1) add([lead, trail]);
  }
  return table;
}
