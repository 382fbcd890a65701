import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Metafile } from "esbuild";
import * as v from "valibot";

const manifestSchema = v.object({
  name: v.string(),
  version: v.string(),
  license: v.string(),
  homepage: v.optional(v.string(), ""),
});

/** A package of which something stands in the bundles. */
export type BundledPackage = v.InferOutput<typeof manifestSchema> & {
  /** Where it is installed, from the root of the repository. */
  readonly folder: string;
};

const rule = `\n\n${"-".repeat(80)}\n\n`;

/** Part of undici, which names it nowhere that is shipped. */
const parserNotice = "Its parser is llhttp: MIT License, Copyright Fedor Indutny, 2018.\n\n";

/** The licences of all packages that went into the bundles. Their likeness costs nothing once it is compressed. */
export async function thirdPartyNotices(metafiles: readonly Metafile[]): Promise<string> {
  const notices = await Promise.all((await bundledPackages(metafiles)).map(noticeOf));
  return `This extension contains the following packages.${rule}${notices.join(rule)}\n`;
}

/** All packages that went into the bundles, by name. */
export function bundledPackages(metafiles: readonly Metafile[]): Promise<readonly BundledPackage[]> {
  const folders = [...new Set(metafiles.flatMap(bundledFolders))].sort();
  return Promise.all(
    folders.map(async (folder) => {
      const manifest: unknown = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
      return { ...v.parse(manifestSchema, manifest), folder };
    }),
  );
}

function bundledFolders({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([input]) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
}

async function noticeOf({ name, version, license, homepage, folder }: BundledPackage): Promise<string> {
  const text = license.includes("MPL-2.0")
    ? // Of its two licences the one that asks for no more than a way to the source.
      `Used under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/).\nIts source is to be had at ${homepage} and https://www.npmjs.com/package/${name}.`
    : await readLicence(folder);
  return `${name} ${version}\n\n${name === "undici" ? parserNotice : ""}${text}`;
}

async function readLicence(folder: string): Promise<string> {
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${folder} has no licence to be shipped`);
  return (await readFile(path.join(folder, file), "utf8")).trim();
}
