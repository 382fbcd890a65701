import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { BundledPackage } from "./bundledPackages.ts";

const rule = `\n\n${"-".repeat(80)}\n\n`;

/** llhttp is part of undici, but undici's shipped files do not name it. */
const parserNotice = "Its parser is llhttp: MIT License, Copyright Fedor Indutny, 2018.\n\n";

/** The licenses of all packages in the bundles. Repeated texts cost little space after compression. */
export async function thirdPartyNotices(packages: readonly BundledPackage[]): Promise<string> {
  const notices = await Promise.all(packages.map(noticeOf));
  return `This extension contains the following packages.${rule}${notices.join(rule)}\n`;
}

async function noticeOf({
  folder,
  name,
  version,
  license,
  homepage,
  author,
}: BundledPackage): Promise<string> {
  const text = license.includes("MPL-2.0")
    ? // Of the package's two licenses, this one requires only a link to the source.
      `Used under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/).\nIts source is to be had at ${homepage} and https://www.npmjs.com/package/${name}.`
    : await readLicence(folder, license, author);
  return `${name} ${version}\n\n${name === "undici" ? parserNotice : ""}${text}`;
}

/** A package that names the MIT License and its author, but ships no text of it, gets the usual text. */
async function readLicence(folder: string, license: string, author: unknown): Promise<string> {
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return (await readFile(path.join(folder, file), "utf8")).trim();
  if (license !== "MIT" || typeof author !== "string") throw new Error(`${folder} has no license to ship`);
  const own = await readFile("LICENSE", "utf8");
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${author}`).trim();
}
