import assert from "node:assert/strict";
import {
  isCalendarDay,
  millisecondsLeftToday,
  readExpiry,
  describeExpiry,
  expiryInBrief,
} from "../../../../src/connection/setup/expiry.ts";
import { createTranslate } from "../../../../src/text/translate.ts";

const t = createTranslate();
const hour = 60 * 60 * 1000;

/** Runs the function in a time zone, then restores the process's own. */
function inZone<T>(zone: string, run: () => T): T {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    return run();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
}

function kindAt(expires: string, now: Date): string {
  const expiry = readExpiry(expires, now);
  return expiry === undefined ? "none" : `${expiry.kind} ${expiry.days}`;
}

function day(date: number): Date {
  return new Date(2030, 0, date, 12);
}

function words(date: number): readonly (string | undefined)[] {
  const expiry = readExpiry("2030-01-20", day(date));
  assert.ok(expiry !== undefined);
  return [expiryInBrief(expiry, t), describeExpiry("2030-01-20", expiry, t)];
}

describe("the expiration of a key", () => {
  it("is noted 14 days before, shown 7 days before, and marked 1 day before", () => {
    const expires = "2030-01-20";
    const cases: readonly (readonly [number, string])[] = [
      [5, "distant 15"],
      [6, "noted 14"],
      [12, "noted 8"],
      [13, "shown 7"],
      [18, "shown 2"],
      [19, "marked 1"],
      [20, "marked 0"],
      [21, "expired 1"],
      [31, "expired 11"],
    ];
    for (const [date, expected] of cases) assert.equal(kindAt(expires, day(date)), expected);
  });

  it("changes at midnight", () => {
    assert.equal(kindAt("2030-01-20", new Date(2030, 0, 20, 0, 0, 0, 0)), "marked 0");
    assert.equal(kindAt("2030-01-20", new Date(2030, 0, 20, 23, 59, 59, 999)), "marked 0");
    assert.equal(kindAt("2030-01-20", new Date(2030, 0, 21, 0, 0, 0, 0)), "expired 1");
  });

  it("follows the local calendar in any time zone", () => {
    // Noon UTC on January 20 is January 21 on Kiritimati and still January 20 in Hawaii.
    const now = new Date("2030-01-20T12:00:00Z");
    const at = (zone: string): string => inZone(zone, () => kindAt("2030-01-20", now));
    assert.equal(at("Pacific/Kiritimati"), "expired 1");
    assert.equal(at("UTC"), "marked 0");
    assert.equal(at("Pacific/Honolulu"), "marked 0");
    assert.equal(
      inZone("Pacific/Honolulu", () => kindAt("2030-01-20", new Date("2030-01-21T05:00:00Z"))),
      "marked 0",
    );
  });

  it("counts whole days across a daylight saving change", () => {
    // In Berlin, March 31, 2030 has 23 hours and October 27, 2030 has 25.
    inZone("Europe/Berlin", () => {
      assert.equal(kindAt("2030-04-06", new Date(2030, 2, 30, 23, 30)), "shown 7");
      assert.equal(kindAt("2030-10-28", new Date(2030, 9, 26, 0, 30)), "shown 2");
      assert.equal(millisecondsLeftToday(new Date(2030, 2, 31)), 23 * hour);
      assert.equal(millisecondsLeftToday(new Date(2030, 9, 27)), 25 * hour);
    });
  });

  it("counts the milliseconds until midnight", () => {
    assert.equal(millisecondsLeftToday(new Date(2030, 0, 20, 23, 0)), hour);
    assert.equal(millisecondsLeftToday(new Date(2030, 11, 31, 23, 59, 59, 999)), 1);
  });

  it("accepts only real calendar days", () => {
    for (const text of ["2028-02-29", "2030-12-31"]) assert.ok(isCalendarDay(text), text);
    for (const text of ["2030-02-29", "2030-02-30", "2030-13-01", "2030-1-1", "31.12.2030", "soon", ""]) {
      assert.ok(!isCalendarDay(text), text);
      assert.equal(readExpiry(text, day(1)), undefined);
    }
  });

  it("is described in words", () => {
    assert.equal(words(1)[1], undefined);
    assert.deepEqual(words(14), [
      "expires in 6 days",
      "The API key expires in 6 days, on 2030-01-20. Request a new key soon.",
    ]);
    assert.deepEqual(words(19), [
      "expires tomorrow",
      "The API key expires tomorrow, on 2030-01-20. Request a new key.",
    ]);
    assert.deepEqual(words(20), ["expires today", "The API key expires today. Request a new key."]);
    assert.equal(words(21)[0], "expired");
    assert.match(words(21)[1] ?? "", /expired on 2030-01-20/);
  });
});
