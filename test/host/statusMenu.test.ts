import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { AnsweredInputs, type InputAnswer } from "./answeredInputs.ts";
import { writeConnections, writeEntries } from "./testConnections.ts";

/** Opens the menu and selects an item; resolves with the rows. */
async function choose(
  answer: InputAnswer,
  ...next: readonly (readonly [string, string])[]
): Promise<readonly string[]> {
  const inputs = new AnsweredInputs(["Inference Chat", answer], ...next);
  await vscode.commands.executeCommand(commandIds.showMenu);
  inputs.dispose();
  return inputs.all[0]?.rows ?? [];
}

describe("the menu of the status bar", () => {
  afterEach(() => writeConnections(undefined));

  it("starts with the next step if there is no connection, or no connection is in use", async () => {
    await writeEntries([]);
    assert.equal((await choose(undefined))[0], "Add Connection...");
    await writeEntries(["Menu one", "Menu two"].map((name) => ({ name, baseUrl: "https://h.example" })));
    assert.equal((await choose(undefined))[0], "Select Connection for This Workspace...");
  });

  it("shows what is in use, and changes it", async () => {
    await writeConnections([{ name: "Menu", baseUrl: "https://h.example" }]);
    const rows = await choose("Select Client Style...", [
      "Which client style (format of requests) does the service use?",
      "messages",
    ]);
    assert.deepEqual(rows.slice(0, 2), ["Chat", "Open Chat"]);
    const changed = await choose(undefined);
    assert.ok(changed.includes("Select Connection for This Workspace... · Menu"), changed.join("\n"));
    assert.ok(changed.includes("Select Client Style... · messages"), changed.join("\n"));
  });

  it("starts with the remedy if the key has expired", async () => {
    await writeConnections([{ name: "Menu", baseUrl: "https://h.example", expires: "2020-01-31" }]);
    assert.match((await choose(undefined))[0] ?? "", /^Set API Key\.\.\. · .*API key expired on 2020-01-31/);
  });
});
