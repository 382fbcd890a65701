import assert from "node:assert/strict";
import { build } from "esbuild";
import * as v from "valibot";
import { billOfMaterials } from "../../../build/billOfMaterials.ts";
import { hostBundle } from "../../../build/bundles.ts";
import { projectRoot } from "../../support/paths.ts";

const component = v.object({ name: v.string(), version: v.string(), purl: v.string() });
const billSchema = v.looseObject({
  bomFormat: v.literal("CycloneDX"),
  metadata: v.object({ component }),
  components: v.array(component),
});

describe("the bill of materials", () => {
  it("names what is in the bundle, and nothing that only builds or tests it", async () => {
    const options = { absWorkingDir: projectRoot, minify: true, write: false } as const;
    const { metafile } = await build({ ...hostBundle, ...options, metafile: true });
    const bill = v.parse(billSchema, JSON.parse(await billOfMaterials([metafile])));
    assert.equal(bill.metadata.component.name, "inference-chat");
    const names = bill.components.map(({ name }) => name);
    assert.deepEqual(names, ["diff", "eventsource-parser", "ignore", "undici", "valibot"]);
    for (const { name, version, purl } of bill.components) assert.equal(purl, `pkg:npm/${name}@${version}`);
  });
});
