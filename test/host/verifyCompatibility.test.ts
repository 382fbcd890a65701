import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { noQuirks } from "../service/quirks.ts";
import { soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { ShownProgress } from "./shownProgress.ts";
import { causeOf, rowOf, ShownReports } from "./shownReports.ts";
import { writeConnections } from "./testConnections.ts";
import { withConnection } from "./withConnection.ts";

const title = "Compatibility of Verified";
const styles = ["chat-completions", "messages"];

async function verify(over: readonly string[], probes: readonly string[]): Promise<void> {
  const inputs = new AnsweredInputs(
    ["Verify Compatibility (1/2): Client Styles", over],
    [/^Verify Compatibility \(2\/2\): \d+ Billable Requests/, probes],
  );
  try {
    await vscode.commands.executeCommand(commandIds.verifyCompatibility);
  } finally {
    inputs.dispose();
  }
}

describe("Verify Compatibility", () => {
  const connection = withConnection({ name: "Verified" });
  let dialogues: ShownDialogues;
  let reports: ShownReports;
  let progress: ShownProgress;
  /** The button to press if it is offered. */
  let pressed: string | undefined;
  let undo: PromiseWithResolvers<string>;

  beforeEach(() => {
    pressed = "Verify";
    undo = Promise.withResolvers();
    dialogues = new ShownDialogues(({ buttons }) =>
      buttons.includes("Undo") ? undo.promise : buttons.find((button) => button === pressed),
    );
    reports = new ShownReports();
    progress = new ShownProgress();
    connection.service.quirks = noQuirks;
  });
  afterEach(() => {
    for (const each of [dialogues, reports, progress]) each.dispose();
  });

  it("names the billable requests, and sends none if the user declines", async () => {
    pressed = undefined;
    await verify(styles, ["Answer without streaming", "Tool use"]);
    const [asked] = dialogues.all;
    assert.equal(asked?.message, "Send 6 billable requests to 'Verified'?");
    assert.match(
      asked.detail ?? "",
      /Model: service-core\. Client style: chat-completions and messages\. At most \d+ tokens are generated/,
    );
    assert.equal(connection.service.journal.entries.length, 0);
  });

  it("keeps earlier results when another run is canceled, and restores forgotten results on Undo", async () => {
    connection.service.quirks = { ...noQuirks, refuse: ["images"], ignore: ["tools"] };
    await verify(styles, ["Answer without streaming", "Tool use", "Image input"]);
    const page = reports.page(title);
    const { report } = page;
    assert.equal(report.summary.text, "Verified. 2 yes, 2 no, 2 unclear");
    assert.equal(connection.service.journal.answers.length, 6);
    const seen = (name: string) => rowOf(page.report, name).map(({ text }) => text);
    assert.deepEqual(seen("Image input"), ["no", "no"]);
    assert.deepEqual(seen("Tool use"), ["unclear", "unclear"]);

    connection.service.journal.clear();
    connection.service.pace = 60_000;
    await page.pressUntil("verify-again", ({ summary }) => summary.text.startsWith("Request 1 of"));
    await connection.service.journal.next(({ inputTokens }) => inputTokens > 0, soon());
    progress.cancel("Verifying the compatibility of Verified");
    await page.until(({ summary }) => summary.text.startsWith("Canceled."));
    await connection.service.journal.next(({ state }) => state === "aborted", soon());
    connection.service.pace = 0;
    assert.equal(connection.service.journal.answers.length, 1);
    assert.deepEqual(seen("Tool use"), ["unclear", "unclear"]);

    await page.pressUntil("forget", ({ actions }) => actions.length > 0);
    assert.deepEqual(seen("Tool use"), ["unknown", "unknown"]);
    const restored = page.next(() => true);
    undo.resolve("Undo");
    await restored;
    assert.deepEqual(seen("Tool use"), ["unclear", "unclear"]);
    page.press("copy-markdown");
  });

  it("stops with the reason if the base URL changed since, and sends nothing there", async () => {
    await verify(["messages"], ["Answer without streaming"]);
    const page = reports.page(title);
    const moved = connection.service.origin.replace("127.0.0.1", "localhost");
    const entry = { name: connection.name, keyVariable: connection.variable };
    await writeConnections([{ ...entry, baseUrl: moved }]);
    connection.service.journal.clear();
    await page.pressUntil("verify-again", ({ summary }) => summary.state === "bad");
    assert.equal(causeOf(page.report), "key-origin-mismatch");
    assert.equal(connection.service.journal.entries.length, 0);
    await writeConnections([{ ...entry, baseUrl: connection.service.origin }]);
  });

  it("leaves refused fields out of later requests", async () => {
    connection.service.quirks = { ...noQuirks, refuse: ["max_tokens"] };
    await verify(["chat-completions"], ["Answer without streaming"]);
    connection.service.journal.clear();
    const checked = await vscode.commands.executeCommand<{ ok: boolean }>(commandIds.checkConnection, {
      connection: connection.name,
    });
    assert.ok(checked.ok);
    assert.deepEqual(
      connection.service.journal.answers.map(({ fields }) => fields),
      [["model", "messages", "max_completion_tokens"]],
    );
  });
});
