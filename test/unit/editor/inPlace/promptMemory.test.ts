import assert from "node:assert/strict";
import { PromptMemory } from "../../../../src/editor/inPlace/promptMemory.ts";
import { createMemento } from "../workspace/memento.ts";

describe("PromptMemory", () => {
  it("lists the newest prompts first, each once, up to the limit", async () => {
    const memory = new PromptMemory(createMemento());
    for (const prompt of ["one", "two", "one"]) await memory.add(prompt);
    assert.deepEqual(memory.all, ["one", "two"]);
    for (let count = 0; count < 40; count += 1) await memory.add(`prompt ${count}`);
    assert.equal(memory.all.length, 20);
    assert.equal(memory.all[0], "prompt 39");
  });

  it("restores a removed prompt to its place, after newer prompts", async () => {
    for (const prompt of ["three", "two", "one"]) {
      const memory = new PromptMemory(createMemento());
      for (const each of ["one", "two", "three"]) await memory.add(each);
      const before = memory.all;
      await memory.remove(prompt);
      assert.ok(!memory.all.includes(prompt));
      await memory.restore(prompt, before);
      assert.deepEqual(memory.all, before);
    }
    const memory = new PromptMemory(createMemento());
    for (const each of ["one", "two"]) await memory.add(each);
    const before = memory.all;
    await memory.remove("one");
    await memory.add("three");
    await memory.restore("one", before);
    assert.deepEqual(memory.all, ["three", "two", "one"]);
  });
});
