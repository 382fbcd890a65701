import { readFile } from "node:fs/promises";
import type { Metafile } from "esbuild";
import * as v from "valibot";
import { bundledPackages } from "./notices.ts";

const ownSchema = v.object({ name: v.string(), version: v.string(), license: v.string() });

interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * What the bundles are made of, as CycloneDX 1.6: the packages of which something is in them, and none of
 * those that only build or test.
 */
export async function billOfMaterials(metafiles: readonly Metafile[]): Promise<string> {
  const own = v.parse(ownSchema, JSON.parse(await readFile("package.json", "utf8")));
  const packages = await bundledPackages(metafiles);
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", ...describe(own) } },
    components: packages.map((each) => ({ type: "library", ...describe(each) })),
    dependencies: [
      { ref: addressOf(own), dependsOn: packages.map(addressOf) },
      ...packages.map((each) => ({ ref: addressOf(each) })),
    ],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function describe(component: Component): object {
  const { name, version, license } = component;
  const address = addressOf(component);
  return { "bom-ref": address, name, version, licenses: [{ expression: license }], purl: address };
}

/** As package URLs write it: the `@` of a scope is encoded. */
function addressOf({ name, version }: Component): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
