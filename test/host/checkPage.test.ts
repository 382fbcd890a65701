import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { causeOf, rowOf, ShownReports } from "./shownReports.ts";
import { writeEntries } from "./testConnections.ts";
import { withConnection } from "./withConnection.ts";

const title = "Connection Check: Checked";

async function check(): Promise<void> {
  await vscode.commands.executeCommand(commandIds.checkConnection);
}

describe("the page of the connection check", () => {
  const connection = withConnection({ name: "Checked", entry: { clientStyle: "messages" } });
  let dialogues: ShownDialogues;
  let reports: ShownReports;
  /** The buttons to press if they are offered. */
  let pressed: readonly string[];

  beforeEach(async () => {
    pressed = ["Run Check"];
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => pressed.includes(button)));
    reports = new ShownReports();
  });
  afterEach(async () => {
    dialogues.dispose();
    reports.dispose();
    // Removing a connection also removes its consent.
    await writeEntries([]);
    await writeEntries([entry({ keyVariable: connection.variable })]);
  });

  const entry = (more: object): object => ({
    name: connection.name,
    baseUrl: connection.service.origin,
    clientStyle: "messages",
    ...more,
  });

  it("does not verify the key with the free steps alone, and asks before the billable ones", async () => {
    pressed = ["Run Free Steps Only"];
    await check();
    const page = reports.page(title);
    assert.equal(page.report.summary.state, "neutral");
    assert.match(page.report.summary.text, /^Key not verified/);
    const [skipped] = rowOf(page.report, "Completion (billable)");
    assert.deepEqual([skipped?.text, skipped?.detail], ["Skipped", "Skipped because it is billable"]);
    assert.equal(connection.service.journal.answers.length, 0);
    pressed = ["Run Check"];
    const { summary } = await page.pressUntil("run-billable", ({ summary: { state } }) => state === "good");
    assert.match(
      dialogues.all.at(-1)?.detail ?? "",
      /sends 2 billable requests to .*Each answer is limited to 1 token/,
    );
    assert.match(summary.text, /Tool use was not tested/);
    assert.equal(connection.service.journal.answers.length, 2);
  });

  it("shows the time, status and request ID of each step, and asks for consent only once", async () => {
    await check();
    assert.equal(dialogues.all.length, 1);
    connection.service.journal.clear();
    await check();
    assert.equal(dialogues.all.length, 1, "the page says it already");
    const { report } = reports.page(title);
    const { entries } = connection.service.journal;
    for (const [index, name] of ["Model list", "Completion (billable)", "Message (billable)"].entries()) {
      const [, time, status, requestId] = rowOf(report, name);
      assert.match(time?.text ?? "", /^\d+ ms$/);
      assert.deepEqual([status?.text, requestId?.text], ["200", entries[index]?.requestId]);
    }
  });

  it("opens from a notice if it was hidden when the check ended", async () => {
    pressed = ["Run Check", "Show Details"];
    connection.service.pace = 60_000;
    const checked = check();
    await connection.service.journal.next(({ method }) => method === "POST", soon());
    const page = reports.page(title);
    await page.until(({ summary }) => summary.text === "Checking: Completion");
    page.hide();
    connection.service.pace = 0;
    connection.service.hurry();
    await checked;
    assert.match(dialogues.messages.at(-1) ?? "", /^'Checked': the check passed/);
    while (!page.visible) await page.next(() => true);
  });

  it("stops at once when it is canceled, without reporting a failure", async () => {
    connection.service.pace = 60_000;
    const checked = check();
    await connection.service.journal.next(({ method }) => method === "POST", soon());
    const page = reports.page(title);
    await page.until(({ summary }) => summary.state === "running");
    page.press("stop");
    await connection.service.journal.next(({ state }) => state === "aborted", soon());
    connection.service.pace = 0;
    await checked;
    assert.deepEqual(page.report.summary, { state: "neutral", text: "Stopped. The key was not verified." });
    assert.equal(causeOf(page.report), undefined);
    assert.equal(dialogues.all.length, 1);
  });

  it("opens the help for a failure and its remedy, and passes when it runs again", async () => {
    await writeEntries([entry({})]);
    await check();
    const page = reports.page(title);
    assert.equal(causeOf(page.report), "empty-key");
    const shown = new Promise<void>((resolve) => {
      const subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        if (![...opened, ...changed].some(({ label }) => label.includes("empty-key.md"))) return;
        subscription.dispose();
        resolve();
      });
    });
    page.press("learn-more");
    await shown;
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    const key = connection.service.keys.add({}, fakeKey("checked"));
    const inputs = new AnsweredInputs(["API key for 'Checked'", key]);
    page.press("set-api-key");
    await dialogues.until("Stored the API key for 'Checked'");
    inputs.dispose();
    await page.pressUntil("run-again", ({ summary }) => summary.state === "good");
    pressed = ["Remove"];
    await vscode.commands.executeCommand(commandIds.removeApiKey);
  });
});
