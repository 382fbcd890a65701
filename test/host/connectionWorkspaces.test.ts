import assert from "node:assert/strict";
import { ConnectionWorkspaces } from "../../src/editor/workspace/workspaceBinding.ts";
import { companionStores } from "./companionStores.ts";

const stateKey = "inference.workspaces";

function workspace(name: string) {
  return { name, uri: `file:///work/${name}` };
}

async function open(): Promise<ConnectionWorkspaces> {
  return new ConnectionWorkspaces((await companionStores()).globalState);
}

function namesOf(workspaces: ConnectionWorkspaces, connectionName: string): readonly string[] {
  return workspaces.of(connectionName).map(({ name }) => name);
}

describe("the workspaces bound to a connection", () => {
  beforeEach(async () => (await companionStores()).globalState.update(stateKey, undefined));

  it("are stored for other windows, newest first", async () => {
    const here = await open();
    await here.bind("Acme", workspace("one"));
    await here.bind("Acme", workspace("two"));
    await here.bind("Acme", workspace("one"));
    assert.deepEqual(namesOf(await open(), "Acme"), ["one", "two"]);
  });

  it("belong to one connection each", async () => {
    const workspaces = await open();
    await workspaces.bind("Acme", workspace("one"));
    await workspaces.bind("Beta", workspace("one"));
    assert.deepEqual([namesOf(workspaces, "Acme"), namesOf(workspaces, "Beta")], [[], ["one"]]);
  });

  it("follow a rename of the connection, and are removed with it", async () => {
    const workspaces = await open();
    await workspaces.bind("constructor", workspace("one"));
    await workspaces.rename("constructor", "Acme");
    assert.deepEqual([namesOf(workspaces, "constructor"), namesOf(workspaces, "Acme")], [[], ["one"]]);
    await workspaces.forget("Acme");
    assert.deepEqual(namesOf(workspaces, "Acme"), []);
    assert.deepEqual((await companionStores()).globalState.get(stateKey), []);
  });

  it("are limited in number", async () => {
    const workspaces = await open();
    for (let index = 0; index < 210; index += 1) await workspaces.bind("Acme", workspace(`w${index}`));
    const names = namesOf(workspaces, "Acme");
    assert.equal(names.length, 200);
    assert.equal(names[0], "w209");
  });

  it("are read as an empty list if the stored state is invalid", async () => {
    for (const garbage of [7, { Acme: "all" }, [{ connection: "Acme", name: 7 }], ["Acme"]]) {
      await (await companionStores()).globalState.update(stateKey, garbage);
      assert.deepEqual(namesOf(await open(), "Acme"), []);
    }
  });
});
