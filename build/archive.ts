import { inflateRawSync } from "node:zlib";

/** A file of an archive, by its record in the archive's list. Numbers are bytes. */
export interface ArchiveEntry {
  readonly name: string;
  readonly compressed: number;
  readonly isDeflated: boolean;
  /** Where the record begins, and how long it is. */
  readonly record: { readonly at: number; readonly length: number };
  /** Where what is compressed begins. */
  readonly at: number;
}

// Signatures, lengths and places in records of the ZIP format (APPNOTE.TXT of PKWARE, 4.3).
const endSignature = 0x06_05_4b_50;
const endLength = 22;
const recordLength = 46;
const headerLength = 30;
const deflated = 8;
/** The sizes stand behind the content, and not before it. */
const sizesBehind = 8;

/** The files of an archive, in its order. @throws Error where it is none */
export function readArchive(archive: Buffer): readonly ArchiveEntry[] {
  const end = endOf(archive);
  const entries: ArchiveEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const entry = readRecord(archive, at);
    entries.push(entry);
    at += entry.record.length;
  }
  return entries;
}

/** What a file of the archive holds. */
export function contentOf(archive: Buffer, { at, compressed, isDeflated }: ArchiveEntry): Buffer {
  const content = archive.subarray(at, at + compressed);
  return isDeflated ? inflateRawSync(content) : content;
}

/** Gives nothing for a file that is to stay as it is. */
export type Deflate = (content: Buffer, name: string) => Promise<Uint8Array | undefined>;

/**
 * The same archive with its files compressed by `deflate`, where that is smaller; names, times and order stay.
 * @throws Error where what was compressed does not come back
 */
export async function compressAgain(archive: Buffer, deflate: Deflate): Promise<Buffer> {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let length = 0;
  for (const entry of readArchive(archive)) {
    const body = await smallest(archive, entry, deflate);
    const record = Buffer.from(recordOf(archive, entry));
    record.writeUInt16LE(record.readUInt16LE(8) & ~sizesBehind, 8);
    record.writeUInt32LE(body.length, 20);
    record.writeUInt32LE(length, 42);
    records.push(record);
    const header = headerFor(record);
    parts.push(header, body);
    length += header.length + body.length;
  }
  const end = Buffer.from(archive.subarray(endOf(archive)));
  end.writeUInt32LE(
    records.reduce((sum, record) => sum + record.length, 0),
    12,
  );
  end.writeUInt32LE(length, 16);
  return Buffer.concat([...parts, ...records, end]);
}

async function smallest(archive: Buffer, entry: ArchiveEntry, deflate: Deflate): Promise<Buffer> {
  const before = archive.subarray(entry.at, entry.at + entry.compressed);
  if (!entry.isDeflated) return before;
  const content = contentOf(archive, entry);
  const deflatedAgain = await deflate(content, entry.name);
  if (deflatedAgain === undefined) return before;
  const after = Buffer.from(deflatedAgain);
  if (!inflateRawSync(after).equals(content)) throw new Error(`${entry.name} does not come back.`);
  return after.length < before.length ? after : before;
}

/** What stands before the content: all of it stands in the record, too. */
function headerFor(record: Buffer): Buffer {
  const nameLength = record.readUInt16LE(28);
  const header = Buffer.alloc(headerLength + nameLength);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  record.copy(header, 4, 6, 28);
  header.writeUInt16LE(nameLength, 26);
  record.copy(header, headerLength, recordLength, recordLength + nameLength);
  return header;
}

function recordOf(archive: Buffer, { record }: ArchiveEntry): Buffer {
  return archive.subarray(record.at, record.at + record.length);
}

function endOf(archive: Buffer): number {
  // There is no comment behind the end, which the signature proves.
  const end = archive.length - endLength;
  if (end < 0 || archive.readUInt32LE(end) !== endSignature) throw new Error("The package is no archive.");
  return end;
}

function readRecord(archive: Buffer, at: number): ArchiveEntry {
  const nameLength = archive.readUInt16LE(at + 28);
  const header = archive.readUInt32LE(at + 42);
  const further = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  return {
    name: archive.toString("utf8", at + recordLength, at + recordLength + nameLength),
    compressed: archive.readUInt32LE(at + 20),
    isDeflated: archive.readUInt16LE(at + 10) === deflated,
    record: { at, length: recordLength + nameLength + further },
    at: header + headerLength + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28),
  };
}
