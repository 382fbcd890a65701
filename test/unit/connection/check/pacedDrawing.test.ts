import assert from "node:assert/strict";
import { PacedDrawing } from "../../../../src/connection/check/pacedDrawing.ts";
import { MockClock } from "../../client/http/mockClock.ts";

describe("PacedDrawing", () => {
  it("draws once for all changes within a frame, 16 ms after the first", () => {
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

  it("draws at once when now is called, and cancels the pending drawing", () => {
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
