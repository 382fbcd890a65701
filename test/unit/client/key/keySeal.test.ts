import assert from "node:assert/strict";
import * as v from "valibot";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { KeySeal } from "../../../../src/client/key/keySeal.ts";
import { sealFor } from "../../../support/sealFor.ts";

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof InferenceError);
    return error.failure;
  }
  return undefined;
}

describe("KeySeal", () => {
  const seal = sealFor("https://h.example/gateway/v1");

  it("is the same for all paths of an origin, and differs for other origins", () => {
    assert.ok(seal.isSameAs(sealFor("https://H.example:443/chat/completions")));
    for (const other of ["http://h.example", "https://h.example:8443", "https://sub.h.example"])
      assert.ok(!seal.isSameAs(sealFor(other)), other);
  });

  it("throws a failure with both origins if they differ", () => {
    seal.requireSame(sealFor("https://h.example"));
    seal.requireCovers(new URL("https://h.example/v1/models"));
    const failure = { kind: "key-seal", sealedTo: "https://h.example", refusedTo: "https://moved.example" };
    assert.deepEqual(
      failureOf(() => seal.requireSame(sealFor("https://moved.example"))),
      failure,
    );
    assert.deepEqual(
      failureOf(() => seal.requireCovers(new URL("https://moved.example/v1/models"))),
      failure,
    );
  });

  it("is read from its stored form", () => {
    assert.equal(seal.stored, "https://h.example");
    assert.ok(v.parse(KeySeal.schema, seal.stored).isSameAs(seal));
    assert.ok(!v.is(KeySeal.schema, 7));
  });

  describe("of a loopback host", () => {
    const base = "http://localhost:8080";
    afterEach(() => KeySeal.nameMachine(undefined));

    it("differs on each machine, so a key for one service is never sent to another", () => {
      const atHome = sealFor(base);
      KeySeal.nameMachine("build-7");
      const there = sealFor(base);
      assert.ok(!there.isSameAs(atHome));
      there.requireCovers(new URL(`${base}/v1/models`));
      assert.deepEqual(
        failureOf(() => atHome.requireCovers(new URL(`${base}/v1/models`))),
        { kind: "key-seal", sealedTo: base, refusedTo: `${base} (build-7)` },
      );
      assert.ok(v.parse(KeySeal.schema, there.stored).isSameAs(there));
      KeySeal.nameMachine("build-8");
      assert.ok(!sealFor(base).isSameAs(there));
      KeySeal.nameMachine(undefined);
      assert.ok(failureOf(() => there.requireSame(sealFor(base))) !== undefined);
      assert.equal(there.host, `${base} (build-7)`);
    });

    it("is the only one that names the machine", () => {
      KeySeal.nameMachine("build-7");
      assert.ok(sealFor("https://h.example").isSameAs(seal));
      assert.equal(sealFor("http://127.0.0.1:8080").stored, "http://127.0.0.1:8080 (build-7)");
    });
  });

  it("covers no URL if it has no origin", () => {
    assert.ok(!KeySeal.nowhere.isSameAs(seal));
    assert.ok(failureOf(() => KeySeal.nowhere.requireCovers(new URL("https://h.example"))) !== undefined);
  });
});
