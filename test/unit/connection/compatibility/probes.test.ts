import assert from "node:assert/strict";
import { probes } from "../../../../src/connection/compatibility/probes.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { processorTime } from "../../processorTime.ts";

const stateOf = (text: string): string =>
  probes.image.judge({ text, reasoning: "", pieces: 1, reads: 1, calls: [], content: [] }, createTranslate())
    .state;

describe("the image probe", () => {
  it("requires both colors in order", () => {
    for (const text of ["Yellow, blue", "The upper is YELLOW;\nthe lower is blue.", "Blue? Yellow, blue."])
      assert.equal(stateOf(text), "yes", text);
    for (const text of ["Blue, yellow", "Yellowish, blue", "Yellow", "Green"])
      assert.equal(stateOf(text), "unclear", text);
  });

  it("judges a long answer in linear time", () => {
    const time = processorTime(() => assert.equal(stateOf("yellow ".repeat(100_000)), "unclear"));
    assert.ok(time < 2000, `${time} ms`);
  });
});
