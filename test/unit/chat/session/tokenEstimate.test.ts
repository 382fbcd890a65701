import assert from "node:assert/strict";
import fc from "fast-check";
import {
  estimateTokens,
  ratioBounds,
  recalibrate,
  usualRatio,
} from "../../../../src/chat/session/tokenEstimate.ts";

describe("the token estimate", () => {
  it("adopts the first count and moves toward later counts", () => {
    const first = recalibrate(usualRatio, 1000, 500);
    assert.deepEqual(first, { charactersPerToken: 2, samples: 1 });
    const second = recalibrate(first, 1000, 250);
    assert.ok(Math.abs(second.charactersPerToken - 2.6) < 1e-9);
    assert.equal(estimateTokens(1000, second.charactersPerToken), 385);
  });

  it("ignores requests that are too short, and counts of 0", () => {
    assert.equal(recalibrate(usualRatio, 50, 40), usualRatio);
    assert.equal(recalibrate(usualRatio, 5000, 0), usualRatio);
  });

  it("converges to a steady count, and stays within bounds for any counts", () => {
    let ratio = usualRatio;
    for (let count = 0; count < 20; count += 1) ratio = recalibrate(ratio, 3000, 1000);
    assert.ok(Math.abs(ratio.charactersPerToken - 3) < 0.01);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat())), (counts) => {
        const { charactersPerToken } = counts.reduce(
          (each, [characters, tokens]) => recalibrate(each, characters, tokens),
          usualRatio,
        );
        assert.ok(charactersPerToken >= ratioBounds.min && charactersPerToken <= ratioBounds.max);
      }),
    );
  });
});
