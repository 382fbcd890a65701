import assert from "node:assert/strict";
import { ConnectionHealth } from "../../src/editor/service/connectionHealth.ts";

describe("ConnectionHealth", () => {
  it("ignores the result of a request whose key was replaced since", () => {
    const health = new ConnectionHealth();
    const refused = health.begin("Acme");
    const answered = health.begin("Acme");
    health.forget("Acme");
    refused.failed("invalid-key", "The service doesn't accept the API key");
    assert.deepEqual(health.of("Acme"), { kind: "unknown" });
    const now = health.begin("Acme");
    assert.deepEqual([answered.isCurrent(), now.isCurrent()], [false, true]);
    now.failed("revoked-key", "The API key was revoked");
    answered.succeeded();
    assert.equal(health.of("Acme").kind, "key-refused");
    health.dispose();
  });

  it("forgets its state when a key becomes readable, except that the key was accepted", () => {
    const health = new ConnectionHealth();
    health.begin("Acme").succeeded();
    const [locked, late] = [health.begin("Acme"), health.begin("Acme")];
    locked.failed("empty-key", "There is no API key");
    assert.equal(health.of("Acme").kind, "key-refused");
    for (const name of ["Acme", "Other"]) health.outdate(name);
    late.failed("empty-key", "There is no API key");
    assert.deepEqual(health.of("Acme"), { kind: "unknown" });
    assert.equal(health.keyHistoryOf("Acme"), "accepted");
    assert.equal(health.keyHistoryOf("Other"), undefined, "it is not new in this window");
    health.dispose();
  });

  it("keeps connections separate", () => {
    const health = new ConnectionHealth();
    const call = health.begin("Acme");
    health.forget("Other");
    call.succeeded();
    assert.equal(health.of("Acme").kind, "good");
    assert.equal(health.of("Other").kind, "unknown");
    health.dispose();
  });
});
