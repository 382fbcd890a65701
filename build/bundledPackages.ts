import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Metafile } from "esbuild";
import * as v from "valibot";

const manifestSchema = v.object({
  name: v.string(),
  version: v.string(),
  license: v.string(),
  homepage: v.optional(v.string(), ""),
  author: v.optional(v.unknown()),
});

/** A package with code in a bundle, as its own package.json describes it. */
export interface BundledPackage extends v.InferOutput<typeof manifestSchema> {
  /** Path relative to the project's folder. */
  readonly folder: string;
}

/** All packages in the bundles, sorted by folder. */
export function bundledPackages(metafiles: readonly Metafile[]): Promise<readonly BundledPackage[]> {
  const folders = new Set(metafiles.flatMap(foldersIn));
  return Promise.all([...folders].sort().map(readPackage));
}

function foldersIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      // A package can hold packages of its own, so the last folder counts.
      .flatMap(([input]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
}

async function readPackage(folder: string): Promise<BundledPackage> {
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  return { folder, ...v.parse(manifestSchema, manifest) };
}
