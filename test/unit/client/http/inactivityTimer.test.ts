import assert from "node:assert/strict";
import { InactivityTimer } from "../../../../src/client/http/inactivityTimer.ts";
import { MockClock } from "./mockClock.ts";

describe("InactivityTimer", () => {
  it("sets no timer on activity, so that a token costs only one reading of the clock", () => {
    const timer = new InactivityTimer(60_000, () => undefined);
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    for (let count = 0; count < 100_000; count += 1) timer.onActivity();
    const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    timer.stop();
    assert.equal(after, before);
  });
  it("fires once, exactly one interval after the last activity", () => {
    let told = 0;
    using clock = new MockClock();
    const timer = new InactivityTimer(120, () => (told += 1));
    clock.tick(60);
    timer.onActivity();
    clock.tick(119);
    assert.equal(told, 0);
    clock.tick(1);
    assert.equal(told, 1);
    clock.tick(1000);
    assert.equal(told, 1);
    timer.restart(20);
    clock.tick(19);
    assert.equal(told, 1);
    clock.tick(1);
    assert.equal(told, 2);
  });

  it("never fires after it was stopped", () => {
    let told = 0;
    using clock = new MockClock();
    const timer = new InactivityTimer(20, () => (told += 1));
    timer.stop();
    clock.tick(1000);
    assert.equal(told, 0);
  });
});
