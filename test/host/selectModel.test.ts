import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_LISTLESS_KEY";

describe("Select Model without a list of models", () => {
  let server: PlainServer;
  let dialogues: ShownDialogues;

  before(async () => {
    server = await startPlainServer();
    process.env[keyVariable] = fakeKey("listless");
    await writeConnections([{ name: "Listless", baseUrl: server.origin, keyVariable }]);
  });
  beforeEach(() => {
    dialogues = new ShownDialogues(() => undefined);
  });
  afterEach(() => dialogues.dispose());
  after(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await server.close();
  });

  it("offers the specification's model and any typed model, and says why", async () => {
    const inputs = new AnsweredInputs(["Select a model", "vendor/another-model"]);
    await vscode.commands.executeCommand(commandIds.selectModel);
    inputs.dispose();
    assert.match(inputs.all[0]?.rows.join() ?? "", /^service-core · .*\(couldn't load the model list\)$/);
    assert.match(dialogues.messages.join(), /^Listless: /);
    const menu = new AnsweredInputs(["Inference Chat", undefined]);
    await vscode.commands.executeCommand(commandIds.showMenu);
    menu.dispose();
    assert.match(menu.all[0]?.rows.join("\n") ?? "", /^Select Model\.\.\. · vendor\/another-model$/m);
  });

  it("refuses an API key as a model, and says so", async () => {
    const rows = new Promise<readonly string[]>((resolve) => {
      const { createQuickPick } = vscode.window;
      const create = (): vscode.QuickPick<vscode.QuickPickItem> => {
        Object.assign(vscode.window, { createQuickPick });
        const pick = createQuickPick();
        const show = pick.show.bind(pick);
        pick.show = () => {
          show();
          // Runs after the list's own listener, which has changed the rows by then.
          pick.onDidChangeValue(() => {
            resolve(pick.items.map(({ label }) => label));
            pick.hide();
          });
          pick.value = fakeKey("pasted-for-a-model");
        };
        return pick;
      };
      Object.assign(vscode.window, { createQuickPick: create });
    });
    const selected = vscode.commands.executeCommand(commandIds.selectModel);
    assert.deepEqual(await rows, [
      "vendor/another-model",
      "service-core",
      "This looks like an API key, not a model ID.",
    ]);
    await selected;
  });
});
