import assert from "node:assert/strict";
import { mock } from "node:test";
import { ArrivingChats } from "../../../src/editor/chat/arrivingChats.ts";

describe("the chats in which answers arrive", () => {
  afterEach(() => mock.timers.reset());

  it("beat every two seconds for as long as they do", () => {
    mock.timers.enable({ apis: ["setInterval"] });
    let beats: string[] = [];
    const arriving = new ArrivingChats((id) => beats.push(id));
    const beatsIn = (milliseconds: number): readonly string[] => {
      beats = [];
      mock.timers.tick(milliseconds);
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
