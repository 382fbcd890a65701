import assert from "node:assert/strict";
import { PacedDrawing } from "../../../../src/connection/check/pacedDrawing.ts";
import { MockClock } from "../../client/http/mockClock.ts";

describe("PacedDrawing", () => {
  it("draws once for all that changes within a frame, and no later", () => {
    using clock = new MockClock();
    let drawn = 0;
    const drawing = new PacedDrawing(() => (drawn += 1));
    for (let change = 0; change < 3; change += 1) {
      drawing.soon();
      clock.tick(5);
    }
    assert.equal(drawn, 0);
    clock.tick(1);
    assert.equal(drawn, 1);
    clock.tick(1000);
    assert.equal(drawn, 1);
    drawing.soon();
    clock.tick(16);
    assert.equal(drawn, 2);
  });

  it("draws the end at once, and nothing behind it", () => {
    using clock = new MockClock();
    let drawn = 0;
    const drawing = new PacedDrawing(() => (drawn += 1));
    drawing.soon();
    drawing.now();
    assert.equal(drawn, 1);
    clock.tick(1000);
    assert.equal(drawn, 1);
  });
});
