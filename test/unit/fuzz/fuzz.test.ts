import assert from "node:assert/strict";
import { fuzzTargets } from "../../fuzz/targets.ts";

/** Few, so that they are quick; `npm run fuzz` has the others. */
const cases = 100;

describe("parsers and decoders", () => {
  for (const { name, run } of fuzzTargets) {
    it(`take whatever comes: ${name}`, async () => {
      const { failure } = await run(cases);
      assert.equal(failure, undefined, failure);
    });
  }
});
