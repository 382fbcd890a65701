import assert from "node:assert/strict";
import { goodEvents } from "../../fuzz/styleEvents.ts";
import { fuzzTargets } from "../../fuzz/targets.ts";
import { clientStyles } from "../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../src/protocol/styles/wireStyles.ts";

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

describe("the events that the decoders are fuzzed with", () => {
  for (const style of clientStyles) {
    it(`give every kind of part while they are whole: ${style}`, () => {
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
