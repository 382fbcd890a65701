import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ConnectionHealth } from "../../src/editor/service/connectionHealth.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { StatusBar } from "../../src/editor/statusBar/statusBar.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { writeConnections } from "./testConnections.ts";

const home = "https://h.example";
const warning = "statusBarItem.warningBackground";

/** The ISO date of a day counted from today in the user's calendar. */
function dayFromNow(days: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + days))
    .toISOString()
    .slice(0, 10);
}

describe("the status bar item", () => {
  const { createStatusBarItem } = vscode.window;
  const owned: vscode.Disposable[] = [];
  let item: vscode.StatusBarItem;
  let health: ConnectionHealth;

  beforeEach(() => {
    const create = (...options: [string, vscode.StatusBarAlignment, number]): vscode.StatusBarItem =>
      (item = createStatusBarItem(`test.${options[0]}`, options[1], options[2]));
    Object.assign(vscode.window, { createStatusBarItem: create });
    const connections = new WorkspaceConnections(
      new WorkspaceBinding(createMemento()),
      new ConnectionWorkspaces(createMemento()),
    );
    health = new ConnectionHealth();
    owned.push(connections, health, new StatusBar(connections, health));
    Object.assign(vscode.window, { createStatusBarItem });
  });
  afterEach(async () => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await writeConnections(undefined);
  });

  const spoken = (): string => item.accessibilityInformation?.label ?? "";
  const background = (): string | undefined => item.backgroundColor?.id;

  async function showing(entry: object): Promise<string> {
    await writeConnections([{ name: "Acme", baseUrl: home, ...entry }]);
    return item.text;
  }

  it("shows an expiration soon to come, and warns from the day before", async () => {
    assert.match(await showing({ expires: dayFromNow(6) }), /Acme · service-core · expires in 6 days$/);
    assert.match(spoken(), /The API key expires in 6 days, on \d{4}-\d\d-\d\d/);
    assert.equal(background(), undefined);
    assert.match(await showing({ expires: dayFromNow(1) }), /expires tomorrow$/);
    assert.equal(background(), warning);
    assert.match(await showing({ expires: "2020-01-31" }), /Acme · service-core · expired$/);
    assert.match(spoken(), /The API key expired on 2020-01-31/);
    assert.equal(background(), warning);
    assert.match(await showing({}), /Acme · service-core$/);
    assert.equal(background(), undefined);
  });

  it("warns while a connection without encryption is allowed", async () => {
    const open = { baseUrl: "http://h.example:8080" };
    assert.match(await showing({ ...open, allowHttp: true }), /\$\(unlock\)/);
    assert.match(spoken(), /Not encrypted: .* that you send to h\.example:8080/);
    assert.equal(background(), warning);
    await showing(open);
    assert.equal(background(), undefined);
  });

  it("is red when the key was refused, and says why", async () => {
    await showing({});
    health.begin("Acme").failed("revoked-key", "The API key was revoked");
    assert.equal(background(), "statusBarItem.errorBackground");
    assert.match(spoken(), /The API key was revoked\./);
  });
});
