import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { SilenceTimer } from "../../../src/client/silenceTimer.ts";

describe("SilenceTimer", () => {
  it("tells once, and as long after the last sound as it should", async () => {
    const told: number[] = [];
    const timer = new SilenceTimer(120, () => told.push(performance.now()));
    await wait(60);
    timer.hear();
    const heard = performance.now();
    await wait(400);
    assert.equal(told.length, 1);
    assert.ok((told[0] ?? 0) - heard >= 119, `${(told[0] ?? 0) - heard} ms`);
    timer.restart(20);
    await wait(120);
    assert.equal(told.length, 2);
  });

  it("tells nothing once it is stopped", async () => {
    let told = 0;
    const timer = new SilenceTimer(20, () => (told += 1));
    timer.stop();
    await wait(80);
    assert.equal(told, 0);
  });

  it("sets no timer to hear, so that a token costs a reading of the clock", () => {
    const timer = new SilenceTimer(60_000, () => undefined);
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    for (let count = 0; count < 100_000; count += 1) timer.hear();
    const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    timer.stop();
    assert.equal(after, before);
  });
});
