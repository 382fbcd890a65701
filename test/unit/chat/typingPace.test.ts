import assert from "node:assert/strict";
import fc from "fast-check";
import { TypingPace } from "../../../src/chat/typingPace.ts";

/** Milliseconds of the turns until then, in which from `from` on something always waits to be drawn, with keys pressed at these. */
function turnsWith(keys: readonly number[], until = 2000, from = 0): readonly number[] {
  let now = 0;
  let isHeld = false;
  const pace = new TypingPace(() => now);
  const turns: number[] = [];
  for (let next = from; now < until; now += 1) {
    if (keys.includes(now)) pace.keyPressed();
    if (now < next) continue;
    const left = pace.takeTurn(isHeld);
    isHeld = left > 0;
    if (!isHeld) turns.push(now);
    next = now + Math.max(left, 1);
  }
  return turns;
}

const every = (gap: number): readonly number[] =>
  Array.from({ length: Math.ceil(4000 / gap) }, (_, at) => at * gap);

/** Milliseconds from each turn to the next. */
const gapsOf = (turns: readonly number[]): readonly number[] =>
  turns.slice(1).map((turn, at) => turn - (turns[at] ?? 0));

describe("the pace of a page beside which is typed", () => {
  it("lets a page draw at any time where nobody types", () => {
    assert.equal(turnsWith([]).length, 2000);
  });

  it("lets it draw between the keys of a person, some twice a second", () => {
    // Each at least 40 ms behind its key.
    assert.deepEqual(turnsWith(every(120)), [40, 540, 1040, 1540]);
  });

  it("keeps it waiting for a second at most, however quick the keys", () => {
    // What is drawn next begins to wait in the next millisecond.
    assert.deepEqual(turnsWith(every(20), 4000), [1000, 2001, 3002]);
  });

  it("does not draw what comes behind a long silence into a key's frame", () => {
    for (const from of [1505, 1579, 1919]) {
      const [first = Number.NaN] = turnsWith(every(120), 4000, from);
      assert.ok(first % 120 >= 40 && first - from < 120, `from ${from} on, the first turn at ${first}`);
    }
    assert.equal(turnsWith(every(20), 4000, 1505)[0], 2505);
  });

  it("is over a quarter of a second behind the last key", () => {
    const turns = turnsWith([300]);
    assert.equal(
      turns.find((turn) => turn >= 300),
      550,
    );
    assert.equal(turns.filter((turn) => turn >= 550).length, 1450);
  });

  it("keeps no page from its turn for longer than that, and none from a free moment, whenever keys come", () => {
    const moments = fc.array(fc.integer({ min: 0, max: 1999 }), { maxLength: 60 });
    fc.assert(
      fc.property(moments, (keys) => {
        const turns = turnsWith(keys);
        assert.ok(gapsOf(turns).every((gap) => gap <= 1001));
        const free = Array.from({ length: 2000 }, (_, at) => at).filter(
          (at) => !keys.some((key) => key <= at && at < key + 250),
        );
        const taken = new Set(turns);
        assert.ok(free.every((at) => taken.has(at)));
      }),
      { numRuns: 50 },
    );
  });
});
