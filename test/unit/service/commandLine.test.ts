import assert from "node:assert/strict";
import { readCommandLine, UsageError } from "../../service/commandLine.ts";
import { fakeKey } from "./fixture.ts";

const now = Date.UTC(2026, 0, 1);
const read = (...arguments_: readonly string[]) =>
  readCommandLine(arguments_, { KEY: fakeKey(), EMPTY: "" }, now);

describe("reference service: command line", () => {
  it("requires no option", () => {
    const { key, terms, service } = read();
    assert.equal(key, undefined);
    assert.deepEqual(terms, { budget: undefined, expiresAt: undefined, models: undefined });
    assert.deepEqual([service.port, service.pace], [undefined, 20]);
  });

  it("reads the key and its terms", () => {
    const { key, terms, service } = read(
      "--key-variable",
      "KEY",
      "--budget",
      "90",
      "--expires",
      "2h",
      "--models",
      "a, b",
    );
    assert.equal(key, fakeKey());
    assert.deepEqual(terms, { budget: 90, expiresAt: new Date(now + 7_200_000), models: ["a", "b"] });
    assert.ok(service.models?.includes("b") === true && service.models.includes("service-core"));
    assert.equal(read("--key", fakeKey("1")).key, fakeKey("1"));
    assert.deepEqual(read("--expires", "2027-01-31").terms.expiresAt, new Date("2027-01-31"));
  });

  it("reads the option to show parts of the key", () => {
    assert.deepEqual(read("--say-key").service.quirks, { saysKey: true });
    assert.equal(read().service.quirks, undefined);
  });

  it("reads the upstream and leaves its models unknown", () => {
    const { service } = read(
      "--upstream",
      "http://127.0.0.1:1",
      "--upstream-key-variable",
      "KEY",
      "--pace",
      "0",
    );
    assert.deepEqual(service, {
      port: undefined,
      pace: 0,
      models: undefined,
      upstream: { baseAddress: "http://127.0.0.1:1", key: fakeKey() },
    });
  });

  it("reads the option to demand reasoning", () => {
    assert.deepEqual(read("--demand-reasoning").service.quirks, { demandsReasoning: true });
    assert.equal(read().service.quirks, undefined);
  });

  it("explains a wrong option without showing the key", () => {
    const wrong: readonly (readonly [RegExp, ...string[]])[] = [
      [/--budget needs a whole number/u, "--budget", "1.5"],
      [/--pace needs/u, "--pace", "fast"],
      [/--expires needs a date/u, "--expires", "soon"],
      [/variable EMPTY is not set/u, "--key-variable", "EMPTY"],
      [/either --key or --key-variable/u, "--key", "x", "--key-variable", "KEY"],
      [/--unheard/u, "--unheard"],
    ];
    for (const [message, ...arguments_] of wrong) {
      assert.throws(
        () => read(...arguments_),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    }
  });
});
