import assert from "node:assert/strict";
import { KeyRing } from "../../service/keyRing.ts";
import { fakeKey } from "./fixture.ts";

describe("reference service: key ring", () => {
  it("generates different keys that are clearly fake", () => {
    const keys = new KeyRing();
    const first = keys.add();
    assert.match(first, /^sk-demo-[A-Za-z0-9_-]{24}$/u);
    assert.notEqual(keys.add(), first);
  });

  it("issues a replacement key with the same terms and no spent tokens", () => {
    const keys = new KeyRing();
    const key = keys.add({ budget: 10, models: ["a"] }, fakeKey());
    keys.charge(key, 4);
    const next = keys.find(keys.replace(key, fakeKey("next")));
    assert.deepEqual(next, {
      key: fakeKey("next"),
      terms: { budget: 10, models: ["a"] },
      revoked: false,
      spent: 0,
    });
    assert.equal(keys.find(key)?.revoked, true);
    assert.equal(keys.spent(key), 4);
  });

  it("rejects budgets that are not whole numbers, and unknown keys", () => {
    const keys = new KeyRing();
    assert.throws(() => keys.add({ budget: 1.5 }), RangeError);
    assert.throws(() => keys.add({ budget: -1 }), RangeError);
    assert.throws(() => {
      keys.revoke(fakeKey());
    }, /never issued/u);
  });
});
