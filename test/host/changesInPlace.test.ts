import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { answerInPlace, priceFile } from "../support/inPlaceRepository.ts";
import { soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { proposalBeside, proposalsClosed, proposedText, shownProposals } from "./shownProposals.ts";
import { withConnection } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";

const renamed = priceFile.replaceAll(/\bsum\b/g, "cents");
const [refined, wish] = ["Refine the Change in total", "Please in capitals"];
const { executeCommand } = vscode.commands;
const at = (line: number): vscode.Range => new vscode.Range(line, 0, line, 0);

/** Accepts or rejects one change, by its line in the proposal, counted from 0. */
async function decide(id: string, line: number): Promise<void> {
  const [uri] = shownProposals();
  await executeCommand(id, { uri, lineNumber: line + 1 });
}

async function closeDiffAndAsk(): Promise<string> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  await vscode.window.tabGroups.close(activeTab ?? assert.fail());
  await proposalsClosed();
  return wish;
}

describe("a change in place", () => {
  const connection = withConnection({
    name: "Changing",
    service: { answers: answerInPlace },
  });
  const { asks } = connection;
  // No other extension handles these files.
  const file = withOpenFile("price.bill", priceFile);
  const symbols = { provideDocumentSymbols: functionsOf };
  let provider: vscode.Disposable;
  let inputs: AnsweredInputs;
  let dialogues: ShownDialogues;
  /** Returns the button to press, by the message of a notice or dialog. */
  let press: (message: string) => string | undefined | Promise<string | undefined>;

  before(() => {
    provider = vscode.languages.registerDocumentSymbolProvider({ pattern: "**/*.bill" }, symbols);
  });
  beforeEach(() => {
    press = () => undefined;
    inputs = new AnsweredInputs();
    dialogues = new ShownDialogues(({ message }) => press(message));
  });
  afterEach(() => {
    dialogues.dispose();
    inputs.dispose();
    connection.service.pace = 0;
  });
  after(() => provider.dispose());

  /** Asks for a change of the function `total`; resolves when the answer has ended. */
  async function edit(prompt = "Name the unit"): Promise<void> {
    inputs.expect(["Edit total", prompt]);
    await executeCommand(commandIds.editSelection, file.uri, at(7));
  }

  const lastQuestion = (): string => asks.at(-1)?.messages.at(-1)?.text ?? "";

  it("covers the function around the cursor, sends no absolute path, and is made only when accepted", async () => {
    await edit();
    assert.equal(await proposedText(/let cents/), renamed);
    assert.equal(await readFile(file.uri.fsPath, "utf8"), priceFile);
    assert.match(lastQuestion(), /price\.bill[^]*lines 7 to 13[^]*let sum[^]*Name the unit/);
    assert.ok(!JSON.stringify(asks).includes(file.folder.fsPath));
    await executeCommand(commandIds.acceptProposal);
    assert.equal(file.text, renamed);
    assert.deepEqual(shownProposals(), []);
  });

  it("is accepted and rejected line by line while the user types, in one undo step", async () => {
    const pressed = Promise.withResolvers<string>();
    await edit();
    await proposalBeside(file.document);
    await file.type(0, 0, "const typed = 1;\n");
    await decide(commandIds.acceptChange, 8);
    press = () => pressed.promise;
    await decide(commandIds.rejectChange, 10);
    await proposedText(/sum \+=/);
    press = () => undefined;
    pressed.resolve("Undo");
    await proposedText(/cents \+=/);
    await decide(commandIds.rejectChange, 10);
    await decide(commandIds.acceptChange, 12);
    assert.deepEqual(shownProposals(), []);
    const expected = priceFile.replace("let sum", "let cents").replace("return sum", "return cents");
    assert.equal(file.text, `const typed = 1;\n${expected}`);
    await executeCommand("undo");
    assert.equal(file.text, `const typed = 1;\n${priceFile}`);
  });

  it("does not replace lines that the user has edited since, except on request", async () => {
    await edit();
    await file.type(11, "  return sum;".length, " // mine");
    await executeCommand(commandIds.acceptProposal);
    await dialogues.until(/^1 change was not applied because the same lines in/);
    const mine = renamed.replace("return cents;", "return sum; // mine");
    assert.equal(file.text, mine);
    await executeCommand(commandIds.acceptChange);
    await dialogues.until(/^These lines of .* were edited after you asked/);
    assert.equal(file.text, mine);
    press = () => "Replace My Lines";
    await executeCommand(commandIds.acceptChange);
    assert.equal(file.text, renamed);
  });

  it("explains a failure and its remedies, and lists the prompt until the user removes it, with Undo", async () => {
    const prompt = "Name the unit, of course";
    const pressed = Promise.withResolvers<string>();
    const rows: string[] = [];
    connection.service.failNext({ status: 401 });
    await edit(prompt);
    const { buttons } = await dialogues.until(/^Changing: /);
    assert.ok(buttons.includes("Set API Key"), buttons.join());
    assert.deepEqual(shownProposals(), []);
    press = () => pressed.promise;
    const forgotten = async (): Promise<undefined> =>
      void (await dialogues.until(/Removed the prompt from the list of earlier prompts/));
    inputs.expect(
      ["Edit total", { row: prompt, button: "Remove Earlier Prompt" }],
      ["Edit total", forgotten],
    );
    await executeCommand(commandIds.editSelection, file.uri, at(7));
    rows.push(...(inputs.all.at(-2)?.rows ?? []));
    inputs.expect(["Edit total", undefined]);
    await executeCommand(commandIds.editSelection, file.uri, at(7));
    assert.deepEqual(
      [rows, inputs.all.at(-1)?.rows].map((each) => each?.includes(prompt)),
      [true, false],
    );
    press = () => undefined;
    pressed.resolve("Undo");
    await edit(prompt);
    assert.ok(inputs.all.at(-1)?.rows.includes(prompt));
    await proposedText(/let cents/);
  });

  it("changes no byte when it is rejected, and returns on Undo", async () => {
    const pressed = Promise.withResolvers<string>();
    await edit();
    press = () => pressed.promise;
    await executeCommand(commandIds.rejectProposal);
    await proposalsClosed();
    assert.equal(file.text, priceFile);
    assert.equal(file.document.isDirty, false);
    press = () => undefined;
    pressed.resolve("Undo");
    await proposedText(/let cents/);
    assert.equal(file.document.isDirty, false);
  });

  it("can be refined, and keeps the earlier proposal and the user's lines if the refinement is stopped", async () => {
    await edit();
    await file.type(11, "  return sum;".length, " // mine");
    connection.service.pace = 150;
    inputs.expect([refined, wish]);
    const refining = executeCommand(commandIds.refineProposal);
    await proposedText(/let CENTS/);
    await executeCommand(commandIds.stopProposal);
    await refining;
    assert.match(await proposedText(/let CENTS/), /cents \+=[^]*return sum; \/\/ mine/);
    const messages = asks.at(-1)?.messages ?? [];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    assert.match(messages[1]?.text ?? "", /let cents = 0;/);
    connection.service.pace = 0;
    inputs.expect([refined, wish]);
    await executeCommand(commandIds.refineProposal);
    await executeCommand(commandIds.acceptProposal);
    await dialogues.until(/not applied because the same lines in/);
    assert.match(file.text, /let CENTS[^]*CENTS \+=[^]*return sum; \/\/ mine/);
  });

  it("is refined in the same proposal when a failed refinement is retried", async () => {
    await edit();
    const [proposal] = shownProposals();
    asks.length = 0;
    press = (message) => {
      assert.match(message, /^Changing: /);
      return "Retry";
    };
    connection.service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
    inputs.expect([refined, wish]);
    await executeCommand(commandIds.refineProposal);
    await proposedText(/let CENTS/);
    assert.deepEqual(shownProposals().map(String), [String(proposal)]);
    assert.equal(asks.length, 1);
    assert.match(lastQuestion(), /Please in capitals/);
  });

  it("sends nothing when its diff is closed while the refinement prompt is open", async () => {
    await edit();
    asks.length = 0;
    inputs.expect([refined, closeDiffAndAsk]);
    await executeCommand(commandIds.refineProposal);
    assert.deepEqual([asks, shownProposals()], [[], []]);
  });

  for (const end of [commandIds.stopProposal, commandIds.rejectProposal]) {
    it(`aborts its request on ${end}`, async () => {
      connection.service.pace = 150;
      const editing = edit();
      await proposedText(/let cents/);
      await executeCommand(end);
      await connection.service.journal.next(({ state }) => state === "aborted", soon());
      await editing;
      assert.equal(file.text, priceFile);
    });
  }

  it("is made only after a question if the file can run programs", async () => {
    const uri = await file.write(".vscode/tasks.json", '{ "version": "2.0.0" }\n');
    inputs.expect([/^Edit /, "Add a task"]);
    await executeCommand(commandIds.editSelection, uri, new vscode.Range(0, 0, 0, 3));
    await executeCommand(commandIds.acceptProposal);
    await dialogues.until(/tasks\.json'\? This file can run programs/);
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.isDirty, false);
    press = () => "Make This Change";
    await executeCommand(commandIds.acceptProposal);
    assert.match(document.getText(), /label/);
  });

  it("fixes a problem from its light bulb, and sends nothing before the user selects the fix", async () => {
    const problems = vscode.languages.createDiagnosticCollection("bills");
    const range = new vscode.Range(15, 31, 15, 37);
    problems.set(file.uri, [
      Object.assign(new vscode.Diagnostic(range, "No lenght here"), { source: "bills" }),
    ]);
    const actions = await executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      file.uri,
      range,
    );
    const fix = actions.find(
      ({ title }) => title === "Inference Chat: Fix Problems · billable request",
    )?.command;
    assert.ok(fix !== undefined);
    assert.deepEqual(asks, []);
    await executeCommand(fix.command, ...(fix.arguments ?? []));
    assert.match(lastQuestion(), /lines 15 to 17[^]*price\.bill:16:\d+ error bills: No lenght here/);
    assert.equal(await proposedText(/length/), priceFile.replace("lenght", "length"));
    problems.dispose();
  });

  it("documents the function around the cursor", async () => {
    await executeCommand(commandIds.generateDocs, file.uri, at(19));
    await proposedText(/What the item is called on the bill\. \*\/\nexport function label/);
  });
});

/** Functions of the document, each from its first line to its closing brace. */
function functionsOf(document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const text = document.getText();
  return [...text.matchAll(/^export function (\w+)[^]*?^\}/gm)].map(([whole, name = ""]) => {
    const start = text.slice(0, text.indexOf(whole)).split("\n").length - 1;
    const range = new vscode.Range(start, 0, start + whole.split("\n").length - 1, 1);
    return new vscode.DocumentSymbol(name, "", vscode.SymbolKind.Function, range, range);
  });
}
