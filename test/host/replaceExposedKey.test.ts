import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { ShownProgress } from "./shownProgress.ts";
import { writeConnections } from "./testConnections.ts";

describe("a key replaced after its exposure", () => {
  let service: ReferenceService;
  let dialogues: ShownDialogues;
  let progress: ShownProgress;

  before(async () => {
    service = await startReferenceService();
    await writeConnections([{ name: "Exposed", baseUrl: service.origin }]);
  });
  beforeEach(() => {
    const pressed = new Set(["Revoke Later", "Run Check", "Copy Incident Record", "Remove"]);
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => pressed.has(button)));
    progress = new ShownProgress();
  });
  afterEach(() => {
    dialogues.dispose();
    progress.dispose();
  });
  after(async () => {
    await writeConnections(undefined);
    await service.close();
  });

  it("leaves a record, even if the check of the new key is canceled", async () => {
    const key = service.keys.add({}, fakeKey("exposed-new"));
    const question = "API key for 'Exposed'";
    const inputs = new AnsweredInputs(
      [question, fakeKey("exposed-old")],
      ["Which connection's key was exposed?", "Exposed"],
      [question, key],
    );
    await vscode.commands.executeCommand(commandIds.setApiKey);
    service.pace = 60_000;
    const replaced = vscode.commands.executeCommand(commandIds.replaceExposedKey);
    await service.journal.next(({ method }) => method === "POST", soon());
    progress.cancel("Checking 'Exposed'...");
    await service.journal.next(({ state }) => state === "aborted", soon());
    service.pace = 0;
    await replaced;
    const { message, detail = "" } = dialogues.all.at(-1) ?? assert.fail();
    assert.equal(message, "Replaced the API key for 'Exposed'.");
    assert.match(detail, /Still to do: revoke the old key/);
    assert.match(detail, /The check of the new key was canceled\./);
    const record = await vscode.env.clipboard.readText();
    assert.match(record, /revoked: not confirmed; .*checked: \S+Z, canceled/);
    assert.ok(!record.includes(key));
    await vscode.commands.executeCommand(commandIds.removeApiKey);
    inputs.dispose();
  });
});
