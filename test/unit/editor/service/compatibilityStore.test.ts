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
  it("knows nothing that was not seen", () => {
    const store = new CompatibilityStore(createMemento());
    assert.equal(store.stateOf(asked, "tools"), "unknown");
    assert.deepEqual(store.adaptationsFor(asked), []);
  });

  it("keeps what was seen apart by origin, model and style, from one window to the next", () => {
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

  it("keeps of a refused image that this model takes none, with the evidence", () => {
    const state = createMemento();
    const told = new CompatibilityStore(state, undefined, () => "An image was refused");
    told.learnNoImages(asked, { status: 500 });
    const again = new CompatibilityStore(state);
    assert.equal(again.stateOf(asked, "image"), "no");
    assert.equal(again.stateOf({ ...asked, model: "another" }, "image"), "unknown");
    const [seen] = again.seen(asked).results;
    assert.deepEqual([seen?.status, seen?.evidence], [500, "An image was refused"]);
  });

  it("forgets what is about to be refused again, keeps what was seen, and forgets everything when told so", () => {
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

  it("is not led by an older state that the editor echoes back", async () => {
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

  it("keeps what another window saw", () => {
    const state = createMemento();
    const [one, other] = [new CompatibilityStore(state), new CompatibilityStore(state)];
    one.add(asked, result("tools", "yes"));
    other.add({ ...asked, model: "another" }, result("image", "no"));
    one.add(asked, result("usage", "yes"));
    const again = new CompatibilityStore(state);
    assert.equal(again.stateOf({ ...asked, model: "another" }, "image"), "no");
    assert.equal(again.stateOf(asked, "tools"), "yes");
  });

  it("keeps forgotten what was forgotten, whatever another window still holds", () => {
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

  it("keeps forgotten what another window writes back from before", async () => {
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

  it("orders by what it has seen, also where a clock goes back", () => {
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

  it("takes back that something was forgotten, but for what was seen since", () => {
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

  it("does not bring refusals back that are about to be tried again", () => {
    const store = new CompatibilityStore(createMemento());
    store.learn(asked, omitTools, refusal);
    const restore = store.forget(asked);
    store.forgetRefusals(asked);
    restore();
    assert.deepEqual(store.adaptationsFor(asked), []);
  });

  it("reads its own entries only, whatever else stands in the state", async () => {
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

  it("keeps so many and no more, the newest", () => {
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
