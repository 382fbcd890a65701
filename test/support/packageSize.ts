import { readFile } from "node:fs/promises";
import { requireShippedFiles } from "./shippedFiles.ts";

/** Bytes of a package without its pictures. */
const largestPackage = 400_000;
const picture = /\.(?:png|svg)$/;

// Offsets and signatures of the ZIP format.
const endSignature = 0x06_05_4b_50;
const endLength = 22;
const entryLength = 46;

/** @throws where something is in the package that is not meant to be, or it is larger than people should have to load */
export async function requireGoodPackage(packageFile: string): Promise<void> {
  requireShippedFiles(readEntries(await readFile(packageFile)).map(({ name }) => name));
  const size = await sizeWithoutPictures(packageFile);
  if (size > largestPackage) {
    throw new Error(`The package has ${size} bytes without its pictures; ${largestPackage} are the limit.`);
  }
}

/** Bytes of a package, but for its pictures. */
export async function sizeWithoutPictures(packageFile: string): Promise<number> {
  const archive = await readFile(packageFile);
  const pictures = readEntries(archive).filter(({ name }) => picture.test(name));
  return pictures.reduce((rest, { compressed }) => rest - compressed, archive.length);
}

function readEntries(archive: Buffer): { readonly name: string; readonly compressed: number }[] {
  // There is no comment behind the end, which the signature proves.
  const end = archive.length - endLength;
  if (archive.readUInt32LE(end) !== endSignature) throw new Error("The package is no archive.");
  const entries = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + entryLength, at + entryLength + nameLength);
    entries.push({ name, compressed: archive.readUInt32LE(at + 20) });
    at += entryLength + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}
