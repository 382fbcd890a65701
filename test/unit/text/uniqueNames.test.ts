import assert from "node:assert/strict";
import fc from "fast-check";
import { uniqueNames } from "../../../src/text/uniqueNames.ts";

describe("uniqueNames", () => {
  it("puts a number behind a name that was there before", () => {
    assert.deepEqual(uniqueNames(["web", "api", "web", "web"]), ["web", "api", "web (2)", "web (3)"]);
    assert.deepEqual(uniqueNames(["web", "web", "web (2)"]), ["web", "web (3)", "web (2)"]);
  });

  it("gives none twice, and leaves those that are unique", () => {
    const name = fc.constantFrom("web", "web (2)", "web (3)", "web (2) (2)", "api", "");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (names) => {
        const unique = uniqueNames(names);
        assert.equal(new Set(unique).size, names.length);
        for (const [index, given] of names.entries()) {
          if (names.indexOf(given) === index) assert.equal(unique[index], given);
        }
      }),
    );
  });
});
