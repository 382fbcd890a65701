import assert from "node:assert/strict";
import type { ContextOffer } from "../../../../src/chat/page/protocol.ts";
import { steadyOffers } from "../../../../src/webview/composer/steadyOffers.ts";

describe("steadyOffers", () => {
  it("keeps the rows down to the active one, and orders those behind anew", () => {
    assert.equal(namesOf(steadyOffers(offersOf("abc"), 0, offersOf("xcab"))), "axcb");
    assert.equal(namesOf(steadyOffers(offersOf("abc"), 1, offersOf("xcab"))), "abxc");
    assert.equal(namesOf(steadyOffers(offersOf("abc"), 2, offersOf("x"))), "abcx");
    assert.equal(namesOf(steadyOffers([], 0, offersOf("ab"))), "ab");
  });
});

function offersOf(names: string): readonly ContextOffer[] {
  return Array.from(names, (id) => ({ id, label: id, description: "" }));
}

function namesOf(offers: readonly ContextOffer[]): string {
  return offers.map(({ id }) => id).join("");
}
