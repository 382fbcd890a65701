import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SerializedMemento, type State } from "../../../../src/editor/workspace/state.ts";

/**
 * State like VS Code's: the window sends a written state back before `update` resolves. The returned state replaces all
 * values.
 */
class TravellingState implements State {
  #values: Readonly<Record<string, unknown>> = {};

  get(key: string): unknown {
    return this.#values[key];
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values = { ...this.#values, [key]: value };
    await nextTurn();
    const written = this.#values;
    await nextTurn();
    if (value === "refused") throw new Error("The window is closed.");
    this.#values = written;
  }
}

describe("SerializedMemento", () => {
  it("loses no change made during other writes", async () => {
    const travelling = new TravellingState();
    const state = new SerializedMemento(travelling);
    const changes: PromiseLike<void>[] = [];
    for (let count = 0; count < 20; count += 1) {
      changes.push(state.update(`key ${count}`, count));
      await nextTurn();
    }
    await Promise.all(changes);
    for (let count = 0; count < 20; count += 1) assert.equal(travelling.get(`key ${count}`), count);
  });

  it("returns the last change, even before it is written", async () => {
    const state = new SerializedMemento(new TravellingState());
    const first = state.update("key", "first");
    const second = state.update("key", "second");
    assert.equal(state.get("key"), "second");
    await first;
    assert.equal(state.get("key"), "second");
    const third = state.update("key", undefined);
    assert.equal(state.get("key"), undefined);
    await Promise.all([second, third]);
    assert.equal(state.get("key"), undefined);
  });

  it("continues after a failed write and rejects that change", async () => {
    const state = new SerializedMemento(new TravellingState());
    const refused = state.update("one", "refused");
    const other = state.update("other", "kept");
    await assert.rejects(refused, /The window is closed/);
    await other;
    assert.equal(state.get("other"), "kept");
  });

  it("resolves `written` when all changes are written", async () => {
    const travelling = new TravellingState();
    const state = new SerializedMemento(travelling);
    void state.update("one", 1);
    void state.update("two", 2);
    await state.written();
    assert.deepEqual([travelling.get("one"), travelling.get("two")], [1, 2]);
  });
});
