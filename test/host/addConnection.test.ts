import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

function writtenConnections(): unknown {
  return vscode.workspace.getConfiguration("inference").inspect("connections")?.globalValue;
}

describe("a connection that is added and removed by commands", () => {
  afterEach(() => writeConnections(undefined));

  it("is what was answered, when an address was refused before", async () => {
    const inputs = new AnsweredInputs(
      ["A name for this client engagement", "Added"],
      ["base address", "not an address"],
      ["base address", "https://h.example/v1"],
      ["How requests are made", "chat-completions"],
      ["The API key of Added", fakeKey("added")],
    );
    const dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === "Remove"));
    await vscode.commands.executeCommand(commandIds.addConnection);
    assert.equal(inputs.refusals.length, 1);
    assert.deepEqual(writtenConnections(), [
      { name: "Added", baseUrl: "https://h.example", clientStyle: "chat-completions" },
    ]);
    inputs.expect(["Which connection shall be removed?", "Added"]);
    await vscode.commands.executeCommand(commandIds.removeConnection);
    assert.deepEqual(writtenConnections(), []);
    dialogues.dispose();
    inputs.dispose();
  });
});
