import assert from "node:assert/strict";
import * as v from "valibot";
import { readKey } from "../../../src/connection/setup/keyHygiene.ts";
import { tellFigure } from "../../support/figures.ts";
import { readSharedCases } from "./sharedCases.ts";

describe("the shared cases of pasted keys", () => {
  it("produce the expected key or refusal", () => {
    const cases = readSharedCases("key");
    const missed = cases.flatMap(({ id, input, expect }) => {
      const reading = readKey(v.parse(v.string(), input));
      const found = reading.kind === "unusable" ? `refused: ${reading.problem}` : reading.key;
      const isRefusal = typeof expect !== "string" || /^refus/i.test(expect);
      const held = isRefusal ? reading.kind === "unusable" : found === expect;
      return held ? [] : [{ id, expect, found }];
    });
    assert.deepEqual(missed, []);
    if (cases.length > 0) tellFigure(`cases of pasted keys: ${cases.length}, all read as they expect`);
  });
});
