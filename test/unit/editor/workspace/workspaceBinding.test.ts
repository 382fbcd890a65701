import assert from "node:assert/strict";
import { WorkspaceBinding } from "../../../../src/editor/workspace/workspaceBinding.ts";
import { fakeKey } from "../../service/fixture.ts";
import { createMemento } from "./memento.ts";

describe("WorkspaceBinding", () => {
  for (const name of ["Acme", "constructor", "__proto__", "prototype"]) {
    it(`remembers the choices for a connection named ${name} until told to forget`, async () => {
      const state = createMemento();
      const binding = new WorkspaceBinding(state);
      assert.equal(binding.modelFor(name), undefined);
      await binding.bind(name);
      await binding.chooseModel(name, "service-mini", "list");
      await binding.chooseClientStyle(name, "messages");
      await binding.chooseModel("Beta", "service-core", "typed");
      const next = new WorkspaceBinding(state);
      assert.equal(next.connectionName, name);
      assert.equal(next.modelFor(name), "service-mini");
      assert.equal(next.clientStyleFor(name), "messages");
      await next.rename(name, "Renamed");
      assert.equal(next.modelFor(name), undefined);
      assert.deepEqual([next.connectionName, next.modelFor("Renamed")], ["Renamed", "service-mini"]);
      assert.equal(next.clientStyleFor("Renamed"), "messages");
      await next.forget("Renamed");
      assert.deepEqual([next.modelFor("Renamed"), next.modelFor("Beta")], [undefined, "service-core"]);
    });
  }

  it("ignores a key stored as a model ID, and deletes it with the next choice", async () => {
    const key = fakeKey("pasted-for-a-model");
    const state = createMemento();
    await state.update("inference.binding", { choices: [{ connection: "Acme", model: key }] });
    const binding = new WorkspaceBinding(state);
    assert.equal(binding.modelFor("Acme"), undefined);
    await binding.chooseClientStyle("Acme", "messages");
    assert.ok(!JSON.stringify(state.get("inference.binding")).includes(key));
    await binding.chooseModel("Acme", key, "typed");
    assert.equal(binding.modelFor("Acme"), undefined);
  });

  it("uses any model ID of the service's list, until the user types one", async () => {
    const listed = crypto.randomUUID();
    const binding = new WorkspaceBinding(createMemento());
    await binding.chooseModel("Acme", listed, "list");
    await binding.chooseClientStyle("Acme", "messages");
    assert.equal(binding.modelFor("Acme"), listed);
    await binding.chooseModel("Acme", "service-mini", "typed");
    assert.equal(binding.modelFor("Acme"), "service-mini");
    assert.equal(binding.clientStyleFor("Acme"), "messages");
  });
});
