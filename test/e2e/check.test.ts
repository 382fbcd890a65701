import assert from "node:assert/strict";
import { readClipboard } from "../support/workbench/clipboard.ts";
import type { ReportPage } from "../support/workbench/reportPage.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

const good = fakeKey("check-good");
const wrong = fakeKey("check-wrong");
const wrongVariable = "INFERENCE_CHECK_WRONG_KEY";
const goodVariable = "INFERENCE_CHECK_GOOD_KEY";
const partialVariable = "INFERENCE_CHECK_PARTIAL_KEY";

describe("the connection check as a page", () => {
  const service = withService({ keys: [good] });
  let partial: PlainServer;
  before(async () => {
    partial = await startPlainServer();
  });
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: {
      "inference.connections": [
        { name: "Good", baseUrl: service.origin, clientStyle: "messages", keyVariable: goodVariable },
        { name: "Wrong", baseUrl: service.origin, keyVariable: wrongVariable },
        {
          name: "Partial",
          baseUrl: partial.origin,
          clientStyle: "messages",
          keyVariable: partialVariable,
          model: "own-model",
        },
      ],
    },
    environment: {
      [goodVariable]: good,
      [wrongVariable]: wrong,
      [partialVariable]: fakeKey("check-partial"),
    },
  }));
  after(() => partial.close());

  async function use(name: string): Promise<void> {
    const { palette, quickInput, statusBar } = partsOf(editor);
    await palette.run("inference.useConnection");
    await quickInput.pick(name);
    await statusBar.waitFor(new RegExp(`${name} · `));
  }

  /** Waits until the current check has ended. The result of the previous check may still be on the page. */
  async function ended(report: ReportPage): Promise<void> {
    const { requestId } = await service.journal.next(
      ({ path, state }) => path === "/v1/messages" && state === "finished",
      soon(),
    );
    await report.frame.getByText(requestId).first().waitFor();
    await report.result("good");
  }

  it("shows a notification that leads back to the page if another tab is in front", async () => {
    const { workbench, palette, dialog, notifications } = partsOf(editor);
    await use("Good");
    service.pace = 60_000;
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    await service.journal.next(({ path }) => path === "/v1/chat/completions", soon());
    const report = workbench.report("Connection Check: Good");
    await report.result("running");
    await report.frame.getByRole("status").filter({ hasText: "Checking: Completion" }).waitFor();
    await workbench.screenshot("check-running");
    await palette.runTitle("File: New Untitled Text File", "workbench.action.files.newUntitledFile");
    await report.tab.and(workbench.page.locator('[aria-selected="false"]')).waitFor();
    service.pace = 0;
    service.hurry();
    await notifications.press("the check passed", "Show Details");
    await report.result("good");
  });

  it("says that the user can chat without a model list, and without chat completions", async () => {
    const { palette, dialog, statusBar, workbench } = partsOf(editor);
    const message = { content: [{ type: "text", text: "pong" }], stop_reason: "max_tokens" };
    const completion = { choices: [{ message: { content: "pong" }, finish_reason: "length" }] };
    const answers = new Map<string | undefined, object>([
      ["/v1/messages", message],
      ["/v1/chat/completions", completion],
    ]);
    partial.answer = ({ url }, response) => {
      const answer = answers.get(url);
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer));
    };
    await use("Partial");
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const report = workbench.report("Connection Check: Partial");
    assert.match(await report.result("good"), /You can chat\. The service provides no model list\.$/);
    assert.match(await report.cell("Model list", "Status"), /404/);
    await statusBar.waitForKind("standard");

    answers.delete("/v1/chat/completions");
    answers.set("/v1/models", { data: [{ id: "own-model" }] });
    await report.button("Run Again").click();
    await report.frame.getByText("You can chat. The service has no Chat Completions API").waitFor();
    await report.result("good");
    await statusBar.waitForKind("standard");
  });

  it("works by keyboard alone, and never shows, stores or copies a key", async () => {
    const { page, palette, dialog, workbench, notifications, screenshot } = partsOf(editor);
    await use("Wrong");
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const failed = workbench.report("Connection Check: Wrong");
    assert.match(await failed.result("bad"), /failed at the step 'Model list'/);
    await failed.alert("invalid-key").waitFor();
    await screenshot("check-Wrong");

    await use("Good");
    service.journal.clear();
    await palette.run("inference.checkConnection");
    const report = workbench.report("Connection Check: Good");
    await ended(report);
    service.journal.clear();
    await report.button("Run Again").focus();
    await page.keyboard.press("Enter");
    await ended(report);
    // The pressed button was removed while the check ran. The focus stayed among the buttons.
    await report.frame.locator(".report-actions button:focus").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await report.frame.locator(":focus").innerText(), "Copy Support Report");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Support Report" }).waitFor();
    // Hovering keeps the notification open.
    await notifications.toast("This is the support report").hover();
    const { requestId } = service.journal.entries.at(-1) ?? {};
    const lines = page.locator(".monaco-editor .view-lines").filter({ hasText: "support report" });
    const shown = (await lines.innerText()).replaceAll("\u00a0", " ");
    assert.ok(requestId !== undefined && shown.includes(requestId), shown);
    await screenshot("support-report");
    await notifications.press("This is the support report", "Copy");
    const copied = await readClipboard(page, "Inference Chat");
    assert.deepEqual(wordsOf(copied), wordsOf(shown));
    assert.ok(!copied.includes("Good"), "a client's name is nothing for support");
    const { copiesSearched } = await assertNoLeaks(editor, [good, wrong], {
      after: "after the connection check",
    });
    assert.ok(copiesSearched > 0, "the support report was copied");
  });
});

/** The words in alphabetical order, because VS Code's lines are not ordered in the DOM. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .toSorted();
}
