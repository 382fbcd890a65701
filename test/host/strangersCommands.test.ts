import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as vscode from "vscode";
import { type CommandId, commandIds } from "../../src/contributions.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { sized, tellFigure } from "../support/figures.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { hostileArguments } from "./hostileArguments.ts";
import { searchObjects } from "./searchObjects.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_STRANGERS_KEY";
const canary = fakeKey("strangers-91d4");
const connection = "Commanded";
/** Maximum milliseconds for one command, including the answers that it waits for. */
const longestRun = 20_000;
/** Milliseconds after which a running command must be waiting for a user. */
const longestQuiet = 500;

/** Commands that are not run, and why. Code in the host cannot close a dialog of the window or the system. */
const notRun: Partial<Record<CommandId, string>> = {
  [commandIds.useInEditorChat]: "begins the editor's own chat, whose extensions call others",
  [commandIds.removeApiKey]: "asks in a dialog of the window",
  [commandIds.deleteAllChats]: "asks in a dialog of the window",
  [commandIds.exportChat]: "asks for a file in a dialog of the system",
  [commandIds.importChat]: "asks for a file in a dialog of the system",
};

describe("the commands, run by another extension with hostile arguments", function () {
  this.timeout(sized(10, 3) * 60_000);
  let service: ReferenceService;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    process.env[keyVariable] = canary;
    await writeConnections([{ name: connection, baseUrl: service.origin, keyVariable }]);
    const document = await vscode.workspace.openTextDocument({ content: "let a = 1;\n" });
    await vscode.window.showTextDocument(document);
  });
  after(async () => {
    delete process.env[keyVariable];
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await writeConnections(undefined);
    await service.close();
  });

  it("expose the key in no result, error or argument", async () => {
    const { commands } = await companionStores();
    const outcomes: Record<string, unknown> = {};
    const ids = Object.values(commandIds).filter((id) => !(id in notRun));
    for (const id of ids) {
      for (const { name, values, handed } of hostileArguments(connection).slice(0, sized(6, 1))) {
        const what = `${id} with ${name}`;
        outcomes[what] = { ended: await runToItsEnd(what, commands.executeCommand(id, ...values)), handed };
      }
    }
    // Every extension can read environment variables, but not the objects that we make of them.
    delete process.env[keyVariable];
    const excepted = Object.entries(notRun).map(([id, reason]) => `${id} (${reason})`);
    assert.equal(ids.length + excepted.length, Object.keys(commandIds).length);
    assert.ok(
      service.journal.entries.some(({ status }) => status === 200),
      "the key was never used",
    );
    const { found } = searchObjects(outcomes, canary);
    assert.deepEqual(found, []);
    assert.ok(!inspect(outcomes, { depth: 20, showHidden: true }).includes(canary));
    assert.ok(inspect(outcomes, { depth: 20 }).includes("service-core"), "no command has said anything");
    tellFigure(
      `another extension that runs our commands: ${Object.keys(outcomes).length} runs of ${ids.length} commands with hostile ` +
        `arguments, the key in 0 results, errors and arguments; NOT RUN: ${excepted.join(", ")}`,
    );
  });
});

/** Resolves with a command's result or error. Cancels every question in the window. */
async function runToItsEnd(what: string, running: Thenable<unknown>): Promise<unknown> {
  const over = new AbortController();
  const outcome = Promise.resolve(running)
    .then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    .finally(() => over.abort());
  const began = performance.now();
  while (!over.signal.aborted) {
    const runs = performance.now() - began;
    assert.ok(runs < longestRun, `${what} does not end`);
    // Waits first, because this command also closes progress notifications.
    if (runs > longestQuiet) await vscode.commands.executeCommand("notifications.clearAll");
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  }
  return outcome;
}
