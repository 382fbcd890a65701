import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { ConnectionEditing } from "../../src/editor/connections/connectionEditing.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { ConnectLinks } from "../../src/editor/connections/connectLinks.ts";
import { SearchedKeys } from "../../src/editor/service/searchedKeys.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { companionStores } from "./companionStores.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

const home = "https://h.example";

function linkTo(parameters: Readonly<Record<string, string>>): vscode.Uri {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return vscode.Uri.parse(`vscode://a.b/connect?${pairs.join("&")}`);
}

const written = (): unknown =>
  vscode.workspace.getConfiguration("inference").inspect("connections")?.globalValue ?? [];

describe("a link that proposes a connection", () => {
  const owned: vscode.Disposable[] = [];
  let links: ConnectLinks;
  let dialogues: ShownDialogues;
  /** The button to press if it is offered. */
  let pressed: string | undefined;

  beforeEach(async () => {
    const { secrets } = await companionStores();
    const connections = new WorkspaceConnections(
      new WorkspaceBinding(createMemento()),
      new ConnectionWorkspaces(createMemento()),
    );
    const keys = new ApiKeyStore(secrets, {}, createMemento());
    const editing = new ConnectionEditing(connections, keys);
    links = new ConnectLinks({ connections, editing, searchedKeys: new SearchedKeys(connections, keys) });
    pressed = undefined;
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
    owned.push(connections, keys, dialogues);
  });
  afterEach(async () => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await writeConnections(undefined);
  });

  it("is refused if it holds a key, without repeating the key", async () => {
    const key = fakeKey("in-link");
    await links.open(linkTo({ name: "Linked", baseUrl: home, apiKey: key }));
    const { message } = await dialogues.until("what looks like an API key");
    assert.match(message, /No connection was added/);
    assert.ok(!message.includes(key));
  });

  it("shows its host in ASCII, and adds nothing when the user declines", async () => {
    await links.open(linkTo({ name: "Linkéd", baseUrl: "https://аpi.host.example/v1", style: "messages" }));
    const { message, detail = "" } = dialogues.all[0] ?? assert.fail();
    assert.match(message, /A link wants to add the connection 'Linkéd'/);
    assert.match(detail, /Host: https:\/\/xn--pi-6kc\.host\.example/);
    assert.match(detail, /encoded form/);
    assert.deepEqual(written(), []);
  });

  it("adds its connection when the user agrees, and asks for the key", async () => {
    pressed = "Add Connection";
    const inputs = new AnsweredInputs(["API key for 'Linked'", undefined]);
    await links.open(linkTo({ name: "Linked", baseUrl: `${home}/v1`, style: "messages" }));
    await dialogues.until("Added 'Linked' without an API key.");
    assert.ok(dialogues.all[0]?.detail?.includes(`Host: ${home}\n`));
    assert.ok(inputs.all[0]?.isPassword);
    inputs.dispose();
    assert.deepEqual(written(), [{ name: "Linked", baseUrl: home, clientStyle: "messages" }]);
  });

  it("never changes a connection of the same name, and says so", async () => {
    const mine = [{ name: "Linked", baseUrl: home }];
    await writeConnections(mine);
    await links.open(linkTo({ name: "Linked", baseUrl: "https://elsewhere.example" }));
    const { message, detail = "" } = dialogues.all[0] ?? assert.fail();
    assert.match(message, /but you already have one with that name/);
    assert.ok(detail.includes(home) && detail.includes("https://elsewhere.example"), detail);
    assert.match(detail, /not changed/);
    await links.open(linkTo({ name: "Linked", baseUrl: home }));
    await dialogues.until("You already have the connection 'Linked' from this link");
    assert.deepEqual(written(), mine);
  });
});
