import assert from "node:assert/strict";
import type { ProbeResult } from "../../../../src/connection/compatibility/compatibility.ts";
import { CompatibilityStore } from "../../../../src/editor/service/compatibilityStore.ts";
import type { Adaptation } from "../../../../src/protocol/encode/adaptation.ts";
import { createMemento } from "../workspace/memento.ts";

const asked = { origin: "https://h.example", model: "service-core", clientStyle: "messages" } as const;
const omitTools: Adaptation = { kind: "omit", field: "tools" };
const refusal = { status: 400, requestId: "req_1" };

const result = (probe: ProbeResult["probe"], state: ProbeResult["state"]): ProbeResult => ({
  clientStyle: "messages",
  probe,
  state,
  evidence: "Seen",
  at: "2026-01-02T03:04:05.678Z",
});

describe("CompatibilityStore", () => {
  it("knows only results that it has seen", () => {
    const store = new CompatibilityStore(createMemento());
    assert.equal(store.stateOf(asked, "tools"), "unknown");
    assert.deepEqual(store.adaptationsFor(asked), []);
  });

  it("separates results by origin, model, and style, and stores them across windows", () => {
    const state = createMemento();
    const store = new CompatibilityStore(state);
    store.add(asked, result("tools", "no"));
    store.add(asked, result("tools", "yes"));
    store.learn(asked, omitTools, refusal);
    store.learn(asked, omitTools, { status: 422 });
    const again = new CompatibilityStore(state);
    assert.equal(again.stateOf(asked, "tools"), "yes");
    assert.deepEqual(again.adaptationsFor(asked), [omitTools]);
    assert.equal(again.seen(asked).learnt[0]?.status, 422);
    for (const other of [
      { ...asked, origin: "https://other.example" },
      { ...asked, model: "another" },
      { ...asked, clientStyle: "chat-completions" as const },
    ]) {
      assert.equal(again.stateOf(other, "tools"), "unknown");
      assert.deepEqual(again.adaptationsFor(other), []);
    }
  });

  it("records that a model accepts no images, with the evidence", () => {
    const state = createMemento();
    const told = new CompatibilityStore(state, undefined, () => "An image was refused");
    told.learnNoImages(asked, { status: 500 });
    const again = new CompatibilityStore(state);
    assert.equal(again.stateOf(asked, "image"), "no");
    assert.equal(again.stateOf({ ...asked, model: "another" }, "image"), "unknown");
    const [seen] = again.seen(asked).results;
    assert.deepEqual([seen?.status, seen?.evidence], [500, "An image was refused"]);
  });

  it("forgets refusals before they are tried again, or everything on request", () => {
    const store = new CompatibilityStore(createMemento());
    store.add(asked, result("tools", "yes"));
    store.add(asked, result("image", "no"));
    store.learn(asked, omitTools, refusal);
    store.forgetRefusals(asked);
    assert.deepEqual(
      [store.stateOf(asked, "tools"), store.stateOf(asked, "image"), store.adaptationsFor(asked)],
      ["yes", "no", []],
    );
    store.forget(asked);
    assert.deepEqual(store.seen(asked), { results: [], learnt: [] });
  });

  it("ignores an older state that VS Code returns", async () => {
    const state = createMemento();
    const store = new CompatibilityStore(state);
    store.add(asked, result("tools", "yes"));
    const older = state.get<unknown>("inference.compatibility");
    store.add(asked, result("image", "no"));
    await state.update("inference.compatibility", older);
    store.add(asked, result("usage", "yes"));
    const again = new CompatibilityStore(state);
    assert.deepEqual(
      (["tools", "image", "usage"] as const).map((probe) => again.stateOf(asked, probe)),
      ["yes", "no", "yes"],
    );
  });

  it("preserves results of another window", () => {
    const state = createMemento();
    const [one, other] = [new CompatibilityStore(state), new CompatibilityStore(state)];
    one.add(asked, result("tools", "yes"));
    other.add({ ...asked, model: "another" }, result("image", "no"));
    one.add(asked, result("usage", "yes"));
    const again = new CompatibilityStore(state);
    assert.equal(again.stateOf({ ...asked, model: "another" }, "image"), "no");
    assert.equal(again.stateOf(asked, "tools"), "yes");
  });

  it("does not restore forgotten results that another window still has in memory", () => {
    const shared = createMemento();
    const other = new CompatibilityStore(shared);
    other.add(asked, result("tools", "yes"));
    other.learn(asked, omitTools, refusal);
    const one = new CompatibilityStore(shared);
    one.forget(asked);
    other.add({ ...asked, model: "another" }, result("image", "no"));
    for (const store of [one, other, new CompatibilityStore(shared)]) {
      assert.deepEqual(store.seen(asked), { results: [], learnt: [] });
      assert.equal(store.stateOf({ ...asked, model: "another" }, "image"), "no");
    }
    other.learn(asked, omitTools, refusal);
    assert.deepEqual(one.adaptationsFor(asked), [omitTools], "what is seen again counts again");
  });

  it("does not restore forgotten results that another window writes back", async () => {
    const shared = createMemento();
    const one = new CompatibilityStore(shared);
    one.add(asked, result("tools", "yes"));
    const before = shared.get<unknown>("inference.compatibility");
    one.forget(asked);
    one.add(asked, result("usage", "no"));
    await shared.update("inference.compatibility", before);
    assert.deepEqual([one.stateOf(asked, "tools"), one.stateOf(asked, "usage")], ["unknown", "no"]);
    one.learn(asked, omitTools, refusal);
    const again = new CompatibilityStore(shared);
    assert.deepEqual([again.stateOf(asked, "tools"), again.stateOf(asked, "usage")], ["unknown", "no"]);
  });

  it("orders results by when they were added, even if the clock goes back", () => {
    let now = new Date("2026-01-02T00:00:00Z");
    const store = new CompatibilityStore(createMemento(), () => now);
    store.add(asked, result("tools", "yes"));
    now = new Date("2026-01-01T00:00:00Z");
    store.add(asked, result("tools", "no"));
    assert.equal(store.stateOf(asked, "tools"), "no");
    store.forget(asked);
    assert.equal(store.stateOf(asked, "tools"), "unknown");
    store.add(asked, result("tools", "yes"));
    assert.equal(store.stateOf(asked, "tools"), "yes");
  });

  it("tries a refused field again after a month", () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const store = new CompatibilityStore(createMemento(), () => now);
    store.learn(asked, omitTools, refusal);
    now = new Date("2026-01-30T00:00:00Z");
    assert.equal(store.adaptationsFor(asked).length, 1);
    now = new Date("2026-02-01T00:00:00Z");
    assert.equal(store.adaptationsFor(asked).length, 0);
  });

  it("restores forgotten results on undo, unless there are newer ones", () => {
    const state = createMemento();
    const store = new CompatibilityStore(state);
    store.add(asked, result("tools", "yes"));
    store.add(asked, result("usage", "yes"));
    store.learn(asked, omitTools, refusal);
    store.forget(asked)();
    for (const each of [store, new CompatibilityStore(state)]) {
      assert.equal(each.stateOf(asked, "tools"), "yes");
      assert.deepEqual(each.adaptationsFor(asked), [omitTools]);
    }
    const restore = store.forget(asked);
    store.add(asked, result("usage", "no"));
    restore();
    for (const each of [store, new CompatibilityStore(state)]) {
      assert.equal(each.stateOf(asked, "tools"), "yes");
      assert.equal(each.stateOf(asked, "usage"), "no");
      assert.deepEqual(each.adaptationsFor(asked), [], "what was refused may be taken by now");
    }
  });

  it("does not restore refusals that are about to be tried again", () => {
    const store = new CompatibilityStore(createMemento());
    store.learn(asked, omitTools, refusal);
    const restore = store.forget(asked);
    store.forgetRefusals(asked);
    restore();
    assert.deepEqual(store.adaptationsFor(asked), []);
  });

  it("ignores unknown entries in the stored state", async () => {
    for (const stored of [
      "x",
      7,
      null,
      {},
      [null, 1, { origin: 1 }, { ...asked, learnt: [{}], results: [] }],
    ]) {
      const state = createMemento();
      await state.update("inference.compatibility", stored);
      const store = new CompatibilityStore(state);
      assert.deepEqual(store.seen(asked), { results: [], learnt: [] });
      store.add(asked, result("usage", "yes"));
      assert.equal(store.stateOf(asked, "usage"), "yes");
    }
  });

  it("drops the oldest entries above its limit", () => {
    const state = createMemento();
    const store = new CompatibilityStore(state);
    for (let count = 0; count < 100; count += 1) {
      store.learn({ ...asked, model: `model-${count}` }, omitTools, refusal);
      store.learn(asked, { kind: "omit", field: `field_${count}` }, refusal);
    }
    const again = new CompatibilityStore(state);
    assert.equal(again.adaptationsFor({ ...asked, model: "model-1" }).length, 0);
    assert.equal(again.adaptationsFor({ ...asked, model: "model-99" }).length, 1);
    const fields = again.adaptationsFor(asked);
    assert.ok(fields.length < 20);
    assert.deepEqual(fields.at(-1), { kind: "omit", field: "field_99" });
  });
});
