import assert from "node:assert/strict";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../../../src/editor/workspace/workspaceBinding.ts";
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

  it("has selected only connections that the user has selected, also under a new name", async () => {
    const state = createMemento();
    const binding = new WorkspaceBinding(state);
    // Editing a connection resets its client style here, which selects nothing.
    await binding.chooseClientStyle("Edited", undefined);
    await binding.bind("Acme");
    await binding.select("Of a chat");
    await binding.bind("Beta");
    const selected = (): readonly string[] =>
      ["Acme", "Of a chat", "Beta", "Edited", "Renamed", "Never"].filter((name) =>
        new WorkspaceBinding(state).hasSelected(name),
      );
    assert.deepEqual(selected(), ["Acme", "Of a chat", "Beta"]);
    await binding.rename("Of a chat", "Renamed");
    assert.deepEqual(selected(), ["Acme", "Beta", "Renamed"]);
    const restore = await binding.forget("Renamed");
    assert.deepEqual(selected(), ["Acme", "Beta"]);
    await restore();
    assert.deepEqual(selected(), ["Acme", "Beta", "Renamed"]);
  });

  it("has selected the connections that an earlier version stored", async () => {
    const state = createMemento();
    await state.update("inference.binding", {
      connection: "Acme",
      choices: [{ connection: "Beta", model: "service-mini" }, { connection: "Edited" }],
    });
    const binding = new WorkspaceBinding(state);
    assert.deepEqual(
      ["Acme", "Beta", "Edited"].map((name) => binding.hasSelected(name)),
      [true, true, false],
    );
    assert.equal(binding.selections, 0);
  });

  it("reads invalid state as no selection", async () => {
    const state = createMemento();
    await state.update("inference.binding", { connection: "Acme", selected: "Acme", selections: -1 });
    const binding = new WorkspaceBinding(state);
    assert.deepEqual(
      [binding.connectionName, binding.hasSelected("Acme"), binding.selections],
      [undefined, false, 0],
    );
  });

  it("offers a model that a chat used as recent, and keeps the workspace's model", async () => {
    const binding = new WorkspaceBinding(createMemento());
    await binding.chooseModel("Acme", "service-core", "list");
    await binding.noteModel("Acme", "service-mini");
    assert.equal(binding.modelFor("Acme"), "service-core");
    assert.deepEqual(binding.recentModels("Acme"), ["service-mini", "service-core"]);
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

describe("ConnectionWorkspaces", () => {
  it("finds a connection by each of its former names, until another connection takes the name", async () => {
    const state = createMemento();
    const workspaces = new ConnectionWorkspaces(state);
    await workspaces.rename("First", "Second");
    await workspaces.rename("Second", "Third");
    assert.equal(new ConnectionWorkspaces(state).newNameOf("First"), "Third");
    assert.deepEqual(workspaces.formerNamesOf("Third"), ["First", "Second"]);
    await workspaces.rename("Third", "First");
    assert.equal(workspaces.newNameOf("First"), undefined, "it has its first name again");
    assert.equal(workspaces.newNameOf("Second"), "First");
    await state.update("inference.renamedConnections", [{ from: 1 }]);
    assert.equal(workspaces.newNameOf("Second"), undefined);
  });

  it("forgets the former names of a removed connection until it is restored, or has another connection", async () => {
    const workspaces = new ConnectionWorkspaces(createMemento());
    await workspaces.rename("First", "Second");
    const restore = await workspaces.forget("Second");
    assert.deepEqual([workspaces.newNameOf("First"), workspaces.formerNamesOf("Second")], [undefined, []]);
    await restore();
    assert.equal(workspaces.newNameOf("First"), "Second");
    const restoreLater = await workspaces.forget("Second");
    await workspaces.rename("First", "Other");
    await restoreLater();
    assert.equal(workspaces.newNameOf("First"), "Other");
  });

  it("gives an added connection nothing of one that had its name, and knows since when it has the name", async () => {
    const workspaces = new ConnectionWorkspaces(createMemento());
    await workspaces.rename("Acme", "Acme Old");
    await workspaces.rename("Beta", "Beta Old");
    await workspaces.bind("Acme", { name: "w", uri: "file:///w" });
    const before = Date.now() - 1;
    await workspaces.take("Acme");
    assert.deepEqual([workspaces.newNameOf("Acme"), workspaces.newNameOf("Beta")], [undefined, "Beta Old"]);
    assert.deepEqual(workspaces.of("Acme"), []);
    const isTaken = (name: string, time = before): boolean => workspaces.isTakenSince(name, time);
    assert.deepEqual([isTaken("Acme"), isTaken("Acme", Date.now()), isTaken("Beta")], [true, false, false]);
  });

  it("takes a name by a rename, unless the connection had the name before", async () => {
    const workspaces = new ConnectionWorkspaces(createMemento());
    await workspaces.rename("Acme", "Second");
    await workspaces.rename("Second", "Acme");
    assert.ok(!workspaces.isTakenSince("Acme", 0));
    await workspaces.rename("Beta", "Acme");
    assert.ok(workspaces.isTakenSince("Acme", 0));
    assert.deepEqual([workspaces.newNameOf("Second"), workspaces.newNameOf("Beta")], [undefined, "Acme"]);
  });

  it("makes a workspace forget what it chose for a connection whose name another one took", async () => {
    const [state, shared] = [createMemento(), createMemento()];
    const workspaces = new ConnectionWorkspaces(shared);
    const binding = new WorkspaceBinding(state);
    binding.follow(workspaces);
    await binding.bind("Acme");
    await binding.chooseModel("Acme", "service-mini", "list");
    await binding.select("Beta");
    // Another window adds the connection a moment later.
    await shared.update("inference.takenNames", [{ name: "Acme", at: Date.now() + 1 }]);
    assert.equal(binding.connectionName, "", "the user must choose again");
    assert.deepEqual([binding.hasSelected("Acme"), binding.hasSelected("Beta")], [false, true]);
    assert.equal(binding.modelFor("Acme"), undefined);
    await shared.update("inference.takenNames", [{ name: "Acme", at: Date.now() - 1 }]);
    await binding.bind("Acme");
    assert.deepEqual([binding.connectionName, binding.hasSelected("Acme")], ["Acme", true]);
  });
});
