import assert from "node:assert/strict";
import { WorkspaceBinding } from "../../../src/editor/workspaceBinding.ts";
import { createMemento } from "./memento.ts";

describe("WorkspaceBinding", () => {
  for (const name of ["Acme", "constructor", "__proto__", "prototype"]) {
    it(`remembers what was chosen for a connection named ${name}, and forgets it`, async () => {
      const state = createMemento();
      const binding = new WorkspaceBinding(state);
      assert.equal(binding.modelFor(name), undefined);
      await binding.bind(name);
      await binding.chooseModel(name, "service-mini");
      await binding.chooseClientStyle(name, "messages");
      await binding.chooseModel("Beta", "service-core");
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
});
