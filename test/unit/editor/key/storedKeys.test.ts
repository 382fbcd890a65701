import assert from "node:assert/strict";
import { readSealedKey, writeSealedKey } from "../../../../src/editor/key/storedKeys.ts";
import { sealFor, sealKey } from "../../../support/sealFor.ts";

const home = "https://h.example";

describe("a stored key", () => {
  it("uses the format of earlier versions", () => {
    const stored = JSON.stringify({ key: "not-a-key", origin: home });
    const read = readSealedKey(stored);
    assert.equal(read?.key, "not-a-key");
    assert.ok(read.seal.isSameAs(sealFor(home)));
    assert.equal(writeSealedKey(sealKey("not-a-key", `${home}/v1`)), stored);
  });

  it("is ignored in any other format", () => {
    for (const text of ["", "not-a-key", '{"key":"not-a-key"}', `{"key":"not-a-key","origin":7}`])
      assert.equal(readSealedKey(text), undefined, text);
  });
});
