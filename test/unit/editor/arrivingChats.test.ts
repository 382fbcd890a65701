import assert from "node:assert/strict";
import { ArrivingChats } from "../../../src/editor/chat/arrivingChats.ts";
import { MockClock } from "../client/mockClock.ts";

describe("the chats in which answers arrive", () => {
  it("beat every two seconds for as long as they do", () => {
    using clock = new MockClock();
    let beats: string[] = [];
    const arriving = new ArrivingChats((id) => beats.push(id));
    const beatsIn = (milliseconds: number): readonly string[] => {
      beats = [];
      clock.tick(milliseconds);
      return beats;
    };
    assert.deepEqual(beatsIn(10_000), []);
    arriving.add("one");
    arriving.add("two");
    assert.deepEqual(beatsIn(2000), ["one", "two"]);
    arriving.delete("one");
    assert.deepEqual([arriving.has("one"), arriving.has("two")], [false, true]);
    assert.deepEqual(beatsIn(4000), ["two", "two"]);
    arriving.delete("two");
    assert.deepEqual(beatsIn(10_000), []);
    arriving.add("one");
    arriving.dispose();
    assert.deepEqual(beatsIn(10_000), []);
  });
});
