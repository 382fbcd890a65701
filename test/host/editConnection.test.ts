import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs, type ExpectedInput } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

const name = "Edited by hand";
const keyVariable = "INFERENCE_EDITED_KEY";
const key = fakeKey("edited-by-hand");

/** Edits one property of the only connection, with these answers. */
async function edit(what: string, ...answers: readonly ExpectedInput[]): Promise<AnsweredInputs> {
  const inputs = new AnsweredInputs(
    ["Which connection do you want to edit?", name],
    ["What do you want to change?", what],
    ...answers,
  );
  try {
    await vscode.commands.executeCommand(commandIds.editConnection);
  } finally {
    inputs.dispose();
  }
  return inputs;
}

/** The entry of the connection in the settings, without its name. */
function entry(): Readonly<Record<string, unknown>> {
  const entries: readonly { readonly name: string }[] =
    vscode.workspace.getConfiguration("inference").get("connections") ?? [];
  const { name: _, ...others } = entries.find((each) => each.name === name) ?? assert.fail();
  return others;
}

/** Resolves with the cause of a failed free step of the check; undefined if all pass. */
async function causeOfCheck(): Promise<string | undefined> {
  const { steps } = await vscode.commands.executeCommand<{ steps: readonly { cause?: string }[] }>(
    commandIds.checkConnection,
    { connection: name, billable: false },
  );
  return steps.find(({ cause }) => cause !== undefined)?.cause;
}

describe("editing a connection by commands", () => {
  let service: ReferenceService;
  let dialogues: ShownDialogues;
  let answer: string | undefined;

  before(async () => {
    service = await startReferenceService();
    process.env[keyVariable] = service.keys.add({}, key);
  });
  beforeEach(() => {
    answer = undefined;
    dialogues = new ShownDialogues(() => answer);
    service.journal.clear();
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeConnections(undefined);
  });
  after(async () => {
    delete process.env[keyVariable];
    await service.close();
  });

  it("accepts a calendar day as its expiration date, and removes the date when the text is empty", async () => {
    await writeConnections([{ name, baseUrl: service.origin }]);
    const question = "The last day the key is valid";
    const inputs = await edit(
      "Expiration Date",
      [question, "31.12.2030"],
      [question, "2030-02-30"],
      [question, "2020-01-31"],
    );
    assert.equal(inputs.refusals.length, 2);
    for (const refusal of inputs.refusals) assert.match(refusal, /for example 2027-01-31/);
    assert.match(inputs.hints.join(), /^This date is in the past/);
    assert.equal(entry()["expires"], "2020-01-31");
    await edit("Expiration Date", [question, ""]);
    assert.deepEqual(entry(), { baseUrl: service.origin });
  });

  it("accepts a single word as its default model", async () => {
    await writeConnections([{ name, baseUrl: service.origin }]);
    const question = "The model for workspaces where no model is selected";
    const inputs = await edit("Default Model", [question, "two words"], [question, "service-mini"]);
    assert.match(inputs.refusals.join(), /single word without spaces/);
    assert.equal(entry()["model"], "service-mini");
  });

  it("hides a key typed as a variable name, and reads the key from the variable or from secret storage", async () => {
    await writeConnections([{ name, baseUrl: service.origin }]);
    const question = "environment variable that holds the API key";
    const inputs = await edit(
      "Key Source",
      ["Where is the API key stored?", "Environment Variable"],
      [question, key],
      [question, "NOT_SET_ANYWHERE"],
    );
    assert.match(inputs.refusals.join(), /looks like an API key/);
    const refused = inputs.all.at(-1);
    assert.deepEqual([refused?.value, refused?.isPassword], [key, true], "hidden, and not lost");
    assert.match(inputs.hints.join(), /NOT_SET_ANYWHERE is not set in VS Code/);
    await edit(
      "Key Source",
      ["Where is the API key stored?", "Environment Variable"],
      [question, keyVariable],
    );
    assert.equal(entry()["keyVariable"], keyVariable);
    assert.equal(await causeOfCheck(), undefined);
    await edit(
      "Key Source",
      ["Where is the API key stored?", "Secret Storage"],
      [`API key for '${name}'`, undefined],
    );
    assert.equal(await causeOfCheck(), "empty-key");
  });

  it("asks before a variable's key goes to another base URL, and sends nothing until the user agrees", async () => {
    await writeConnections([{ name, baseUrl: service.origin, keyVariable }]);
    assert.equal(await causeOfCheck(), undefined);
    const moved = service.origin.replace("127.0.0.1", "localhost");
    service.journal.clear();
    await edit("Base URL", ["Base URL", moved]);
    const [asked] = dialogues.all;
    assert.equal(
      asked?.message,
      `Send the key from the environment variable ${keyVariable} to ${new URL(moved).host}?`,
    );
    assert.ok(asked?.detail?.includes(service.origin) && asked.detail.includes(moved), asked?.detail);
    assert.equal(entry()["baseUrl"], moved);
    assert.equal(await causeOfCheck(), "key-origin-mismatch");
    assert.equal(service.journal.entries.length, 0);
    answer = "Send Key";
    await vscode.commands.executeCommand(commandIds.setApiKey, name);
    assert.equal(await causeOfCheck(), undefined);
  });

  it("allows HTTP only if the user agrees, and forbids it without a question", async () => {
    const open = { baseUrl: "http://h.example:8080" };
    await writeConnections([{ name, ...open }]);
    await edit("Allow HTTP");
    assert.deepEqual(entry(), open);
    answer = "Allow HTTP";
    await edit("Allow HTTP", [`API key for '${name}'`, undefined]);
    const { message, detail = "" } = dialogues.all.at(-1) ?? assert.fail();
    assert.equal(message, `Send the API key for '${name}' to h.example:8080 without encryption?`);
    assert.match(detail, /Anyone on the network can read and change/);
    assert.deepEqual(entry(), { ...open, allowHttp: true });
    await edit("Don't Allow HTTP");
    assert.deepEqual(entry(), open);
  });
});
