import assert from "node:assert/strict";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { VariableKeys } from "../../../../src/editor/key/variableKeys.ts";
import { sealFor } from "../../../support/sealFor.ts";
import { createMemento } from "../workspace/memento.ts";

const home = sealFor("https://h.example");
const stateKey = "inference.variableOrigins";
const environment = { SERVICE_KEY: ["not", "a", "key", "0123456789"].join("-") };

describe("the seal of a key in an environment variable", () => {
  it("uses the format of earlier versions", async () => {
    const state = createMemento();
    const record = { connection: "Acme", variable: "SERVICE_KEY", origin: "https://h.example" };
    await state.update(stateKey, [record]);
    const keys = new VariableKeys(environment, state);
    assert.ok((await keys.read("Acme", "SERVICE_KEY", home)).seal.isSameAs(home));
    await assert.rejects(
      keys.read("Acme", "SERVICE_KEY", sealFor("https://moved.example")),
      (error) => error instanceof InferenceError && error.failure.kind === "key-seal",
    );
    await keys.copy("Acme", "Renamed");
    await keys.read("Beta", "SERVICE_KEY", home);
    assert.deepEqual(state.get(stateKey), [
      record,
      { ...record, connection: "Renamed" },
      { ...record, connection: "Beta" },
    ]);
  });
});
