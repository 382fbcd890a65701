import assert from "node:assert/strict";
import fc from "fast-check";
import { readConnections, readModelName } from "../../../../src/connection/setup/connection.ts";
import { describeModelProblem } from "../../../../src/connection/setup/inputTexts.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { fakeKey } from "../../service/fixture.ts";

const good = { name: "Acme", baseUrl: "https://h.example/v1" };

describe("readConnections", () => {
  it("reads a connection with its defaults", () => {
    const { connections, problems } = readConnections([good]);
    assert.deepEqual(problems, []);
    const [connection] = connections;
    assert.equal(connection?.name, "Acme");
    assert.equal(connection?.clientStyle, "chat-completions");
    assert.ok(connection?.address.kind === "address");
    assert.equal(connection.address.address.origin, "https://h.example");
  });

  it("ignores a property such as `apiKey`, and reports it without its value", () => {
    const canary = ["sk", "canary"].join("-");
    const list = readConnections([{ ...good, apiKey: canary, authToken: canary }]);
    assert.deepEqual(
      list.problems.map((problem) => (problem.kind === "key-in-settings" ? problem.property : problem.kind)),
      ["apiKey", "authToken"],
    );
    assert.equal(list.connections.length, 1);
    assert.ok(!JSON.stringify(list).includes(canary));
  });

  it("rejects a key in keyVariable", () => {
    const canary = ["sk", "canary", "1234"].join("-");
    const list = readConnections([{ ...good, keyVariable: canary }]);
    assert.equal(list.connections[0]?.keyVariable, undefined);
    assert.equal(list.problems[0]?.kind, "key-in-settings");
    assert.ok(!JSON.stringify(list).includes(canary));
  });

  it("treats a reference such as $ACME_KEY as a mistake, and suggests the bare name", () => {
    for (const keyVariable of ["$ACME_KEY", "${ACME_KEY}", "${env:ACME_KEY}", " %ACME_KEY% "]) {
      const { connections, problems } = readConnections([{ ...good, keyVariable }]);
      assert.equal(connections[0]?.keyVariable, undefined);
      assert.deepEqual(problems, [{ kind: "variable-name", name: good.name, suggestion: "ACME_KEY" }]);
    }
    const canary = ["sk", "live", "canary", "0123456789"].join("_");
    assert.equal(
      readConnections([{ ...good, keyVariable: `$${canary}` }]).problems[0]?.kind,
      "key-in-settings",
    );
  });

  it("doesn't repeat a key that is the name of an unreadable entry", () => {
    const canary = ["sk", "live", "canary", "0123456789"].join("-");
    const { problems } = readConnections([{ name: canary }, { ...good, name: canary, clientStyle: "other" }]);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ["not-readable", "not-readable"],
    );
    assert.ok(!JSON.stringify(problems).includes(canary));
  });

  it("accepts no key as a name, base URL, variable name, or model, and doesn't repeat it", () => {
    const canary = ["sk", "live", "canary", "0123456789"].join("_");
    for (const property of ["name", "baseUrl", "keyVariable", "model"]) {
      const list = readConnections([{ ...good, [property]: canary }]);
      assert.ok(
        !JSON.stringify({
          ...list,
          connections: list.connections.map(({ name, model }) => [name, model]),
        }).includes(canary),
        property,
      );
      if (property !== "baseUrl") {
        assert.deepEqual(
          list.problems.map((problem) => problem.kind === "key-in-settings" && problem.property),
          [property],
        );
      }
    }
    const { connections, problems } = readConnections([{ ...good, name: `Acme ${fakeKey("in-a-name")}` }]);
    assert.deepEqual(connections, []);
    assert.deepEqual(problems, [{ kind: "key-in-settings", index: 0, property: "name" }]);
    const named = readConnections([
      { ...good, name: "Client 2026 (production)", keyVariable: "ACME_API_KEY_2026" },
    ]);
    assert.deepEqual(named.problems, []);
  });

  it("keeps a connection with an unusable base URL, and reports the problem", () => {
    const { connections, problems } = readConnections([{ name: "Plain", baseUrl: "http://h.example" }]);
    assert.equal(connections[0]?.address.kind, "problem");
    assert.equal(problems[0]?.kind, "address");
  });

  it("accepts HTTP if the user allowed it", () => {
    const { problems } = readConnections([{ name: "Plain", baseUrl: "http://h.example", allowHttp: true }]);
    assert.deepEqual(problems, []);
  });

  it("leaves out and reports unreadable and duplicate entries", () => {
    const { connections, problems } = readConnections([
      1,
      { name: "" },
      { ...good, clientStyle: "other" },
      good,
      good,
    ]);
    assert.equal(connections.length, 1);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ["not-readable", "not-readable", "not-readable", "duplicate-name"],
    );
    assert.deepEqual(readConnections("x").problems, [{ kind: "not-a-list" }]);
  });

  it("never throws for any setting", () => {
    fc.assert(fc.property(fc.anything(), (setting) => void readConnections(setting)));
    fc.assert(fc.property(fc.array(fc.object()), (setting) => void readConnections(setting)));
  });
});

describe("readModelName", () => {
  it("accepts a model ID and nothing else", () => {
    assert.equal(readModelName(" vendor/model-1.5:latest "), "vendor/model-1.5:latest");
    assert.equal(readModelName("claude-3-5-sonnet-20241022"), "claude-3-5-sonnet-20241022");
    for (const value of [
      "",
      "two words",
      "line\nbreak",
      "nul\u0000",
      "turn\u202eed",
      "x".repeat(201),
      5,
      null,
    ]) {
      assert.equal(readModelName(value), undefined, JSON.stringify(value));
    }
  });

  it("explains why a text is not a model ID, and identifies a key", () => {
    const t = createTranslate();
    assert.equal(describeModelProblem(" vendor/model-1.5:latest ", t), undefined);
    for (const text of [fakeKey("pasted-for-a-model"), `openai/${fakeKey("pasted-for-a-model")}`]) {
      assert.equal(readModelName(text), undefined);
      assert.match(describeModelProblem(text, t) ?? "", /looks like an API key/);
    }
    assert.match(describeModelProblem("two words", t) ?? "", /single word without spaces/);
  });
});
