import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { contentOf, readArchive } from "../../build/archive.ts";
import { requireShippedFiles } from "./shippedFiles.ts";

/** Bytes of the whole package. */
const largestPackage = 1_048_576;
const picture = /\.(?:png|svg)$/;
const translation = /^extension\/(?:l10n\/|package\.nls\..+\.json$)/;

export interface PackageSize {
  readonly whole: number;
  readonly withoutPictures: number;
  /** Without pictures, which tell, and translations, of which each reader has use for one. */
  readonly own: number;
}

/** @throws where something is in the package that is not meant to be, or it is larger than people should have to load */
export async function requireGoodPackage(packageFile: string): Promise<void> {
  requireShippedFiles(readArchive(await readFile(packageFile)).map(({ name }) => name));
  const { whole } = await packageSize(packageFile);
  if (whole > largestPackage) {
    throw new Error(`The package has ${whole} bytes; ${largestPackage} are the limit.`);
  }
}

/** In bytes. */
export async function packageSize(packageFile: string): Promise<PackageSize> {
  const archive = await readFile(packageFile);
  const entries = readArchive(archive);
  const without = (...left: readonly RegExp[]): number =>
    entries
      .filter(({ name }) => left.some((pattern) => pattern.test(name)))
      .reduce((rest, { compressed }) => rest - compressed, archive.length);
  return { whole: archive.length, withoutPictures: without(picture), own: without(picture, translation) };
}

/** What the files of a package hold, by their names in it; what lies compressed in it is made readable. */
export async function readPackage(packageFile: string): Promise<ReadonlyMap<string, Buffer>> {
  const archive = await readFile(packageFile);
  return new Map(
    readArchive(archive).map((entry) => {
      const content = contentOf(archive, entry);
      return [entry.name, entry.name.endsWith(".br") ? brotliDecompressSync(content) : content];
    }),
  );
}
