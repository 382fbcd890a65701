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

  it("never uses a property that looks like a key, and names it without its value", () => {
    const canary = ["sk", "canary"].join("-");
    const list = readConnections([{ ...good, apiKey: canary, authToken: canary }]);
    assert.deepEqual(
      list.problems.map((problem) => (problem.kind === "key-in-settings" ? problem.property : problem.kind)),
      ["apiKey", "authToken"],
    );
    assert.equal(list.connections.length, 1);
    assert.ok(!JSON.stringify(list).includes(canary));
  });

  it("refuses a key in the place of a variable's name", () => {
    const canary = ["sk", "canary", "1234"].join("-");
    const list = readConnections([{ ...good, keyVariable: canary }]);
    assert.equal(list.connections[0]?.keyVariable, undefined);
    assert.equal(list.problems[0]?.kind, "key-in-settings");
    assert.ok(!JSON.stringify(list).includes(canary));
  });

  it("takes the value of a variable for a slip and no key, and says its name", () => {
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

  it("repeats no key that stands as the name of an entry which cannot be read", () => {
    const canary = ["sk", "live", "canary", "0123456789"].join("-");
    const { problems } = readConnections([{ name: canary }, { ...good, name: canary, clientStyle: "other" }]);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ["not-readable", "not-readable"],
    );
    assert.ok(!JSON.stringify(problems).includes(canary));
  });

  it("lets no key into a name, an address or a model, nor repeats it", () => {
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
    const named = readConnections([
      { ...good, name: "Client 2026 (production)", keyVariable: "ACME_API_KEY_2026" },
    ]);
    assert.deepEqual(named.problems, []);
  });

  it("keeps a connection whose address cannot be used, and says so", () => {
    const { connections, problems } = readConnections([{ name: "Plain", baseUrl: "http://h.example" }]);
    assert.equal(connections[0]?.address.kind, "problem");
    assert.equal(problems[0]?.kind, "address");
  });

  it("takes http where the user allowed it", () => {
    const { problems } = readConnections([{ name: "Plain", baseUrl: "http://h.example", allowHttp: true }]);
    assert.deepEqual(problems, []);
  });

  it("leaves out and names what it cannot read", () => {
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

  it("throws on no setting", () => {
    fc.assert(fc.property(fc.anything(), (setting) => void readConnections(setting)));
    fc.assert(fc.property(fc.array(fc.object()), (setting) => void readConnections(setting)));
  });
});

describe("readModelName", () => {
  it("takes a model's id and nothing that could be mistaken for more", () => {
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

  it("says of a text why it is none, of a key that it is one", () => {
    const t = createTranslate();
    assert.equal(describeModelProblem(" vendor/model-1.5:latest ", t), undefined);
    assert.match(describeModelProblem(fakeKey("pasted-for-a-model"), t) ?? "", /looks like an API key/);
    assert.match(describeModelProblem("two words", t) ?? "", /single word without spaces/);
  });
});
