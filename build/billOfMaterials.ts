import { readFile } from "node:fs/promises";
import * as v from "valibot";
import type { BundledPackage } from "./bundledPackages.ts";

const manifestSchema = v.object({ name: v.string(), version: v.string(), license: v.string() });
const lockSchema = v.object({
  packages: v.record(v.string(), v.object({ integrity: v.optional(v.string()) })),
});

/**
 * Returns the bill of materials in CycloneDX 1.6 (JSON): each bundled package with its version, its license, and its
 * hash from the lock file. Contains no time and no serial number, so that it is the same for the same commit.
 */
export async function billOfMaterials(packages: readonly BundledPackage[]): Promise<string> {
  const root = v.parse(manifestSchema, await readJson("package.json"));
  const lock = v.parse(lockSchema, await readJson("package-lock.json"));
  const components = packages.map((each) => componentOf(each, lock.packages[each.folder]?.integrity));
  const rootReference = referenceOf(root);
  return `${JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": rootReference,
        name: root.name,
        version: root.version,
        licenses: [{ license: { id: root.license } }],
        purl: rootReference,
      },
    },
    components,
    dependencies: [
      { ref: rootReference, dependsOn: components.map((component) => component.purl) },
      ...components.map(({ purl }) => ({ ref: purl })),
    ],
  })}\n`;
}

function componentOf(bundled: BundledPackage, integrity: string | undefined) {
  const { name, version, license } = bundled;
  const purl = referenceOf(bundled);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    hashes: [{ alg: "SHA-512", content: hashOf(name, integrity) }],
    // A choice such as `MIT OR Apache-2.0` is a license expression, not a license ID.
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}

function hashOf(name: string, integrity = ""): string {
  const encoded = /^sha512-([\w+/=]+)$/.exec(integrity)?.[1];
  if (encoded === undefined) throw new Error(`The lock file has no hash of ${name}`);
  return Buffer.from(encoded, "base64").toString("hex");
}

function referenceOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}
