import assert from "node:assert/strict";
import { goodEvents } from "../../fuzz/styleEvents.ts";
import { fuzzTargets } from "../../fuzz/targets.ts";
import { clientStyles } from "../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../src/protocol/styles/wireStyles.ts";

/** A small number, so the tests are quick. `npm run fuzz` runs many more. */
const cases = 100;

describe("parsers and decoders", () => {
  for (const { name, run } of fuzzTargets) {
    it(`accept any input: ${name}`, async () => {
      const { failure } = await run(cases);
      assert.equal(failure, undefined, failure);
    });
  }
});

describe("the sample events of the fuzz tests", () => {
  for (const style of clientStyles) {
    it(`decode to every kind of part in ${style}`, () => {
      const decoder = wireStyles[style].createStreamDecoder();
      const parts = [
        ...goodEvents[style].flatMap((event) => decoder.decode(JSON.stringify(event))),
        ...decoder.close(),
      ];
      const kinds = new Set(parts.map(({ type }) => type));
      for (const kind of [
        "text-delta",
        "reasoning-delta",
        "reasoning",
        "tool-call",
        "usage",
        "finish",
        "error",
      ] as const) {
        assert.ok(kinds.has(kind), kind);
      }
    });
  }
});
