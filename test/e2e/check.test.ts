import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import type { ReportPage } from "../support/workbench/reportPage.ts";
import type { ThemeKind } from "../support/workbench/workbench.ts";
import { type PlainServer, startPlainServer } from "../unit/client/plainServer.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const good = fakeKey("check-good");
const wrong = fakeKey("check-wrong");
const wrongVariable = "INFERENCE_CHECK_WRONG_KEY";
const goodVariable = "INFERENCE_CHECK_GOOD_KEY";
const expiredVariable = "INFERENCE_CHECK_EXPIRED_KEY";
const expired = fakeKey("check-expired");

describe("the connection check as a page", () => {
  let service: ReferenceService;
  let plain: PlainServer;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, good);
    service.keys.add({ expiresAt: new Date(0) }, expired);
    plain = await startPlainServer();
    plain.answer = (request, response) => {
      if (request.method === "GET") response.end(JSON.stringify({ data: [{ id: "service-core" }] }));
      else response.writeHead(401).end(JSON.stringify({ error: { message: "Incorrect API key" } }));
    };
    const gone = await startPlainServer();
    await gone.close();
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [
          { name: "Good", baseUrl: service.origin, clientStyle: "messages", keyVariable: goodVariable },
          { name: "Wrong", baseUrl: service.origin, keyVariable: wrongVariable },
          { name: "Expired", baseUrl: service.origin, keyVariable: expiredVariable },
          { name: "Dead", baseUrl: gone.origin, keyVariable: goodVariable },
          { name: "Lister", baseUrl: plain.origin, keyVariable: wrongVariable },
          { name: "Stored", baseUrl: service.origin },
        ],
      },
      environment: { [goodVariable]: good, [wrongVariable]: wrong, [expiredVariable]: expired },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await plain.close();
    await service.close();
  });

  async function use(name: string): Promise<void> {
    const { palette, quickInput, statusBar } = partsOf(editor);
    await palette.run("inference.useConnection");
    await quickInput.pick(name);
    await statusBar.waitFor(new RegExp(`${name} · `));
  }

  /** The result of the check before may still be on the page when the next one has begun. */
  async function ended(report: ReportPage): Promise<void> {
    const { requestId } = await service.journal.next(
      ({ path, state }) => path === "/v1/messages" && state === "finished",
      soon(),
    );
    await report.frame.getByText(requestId).first().waitFor();
    await report.result("good");
  }

  /** Checks a connection that was not checked before, and gives its page. */
  async function check(name: string, choice = "Run Check"): Promise<ReportPage> {
    const { palette, dialog, workbench } = partsOf(editor);
    await use(name);
    await palette.run("inference.checkConnection");
    await dialog.press(choice);
    return workbench.report(`Connection Check: ${name}`);
  }

  it("says of free steps alone that they prove nothing, and then offers the billable ones", async () => {
    const { dialog, screenshot } = partsOf(editor);
    service.journal.clear();
    const report = await check("Good", "Run Free Steps Only");
    assert.match(await report.result("neutral"), /Not proven/);
    assert.match(
      await report.cell("Completion (billable)", "Result"),
      /Skipped\s+Not run, since it is billed/,
    );
    assert.deepEqual(
      service.journal.entries.map(({ path }) => path),
      ["/v1/models"],
    );
    await screenshot("check-free");
    await report.button("Run Billable Steps").click();
    const { detail } = await dialog.read();
    assert.match(detail, /two billable requests of 1 generated token/);
    await dialog.press("Run Check");
    assert.match(await report.result("good"), /does not prove that tool use works/);
  });

  it("does not ask again, and shows time, status and request ID of each step", async () => {
    const { workbench, palette, notifications, screenshot } = partsOf(editor);
    service.journal.clear();
    const report = workbench.report("Connection Check: Good");
    await palette.run("inference.checkConnection");
    await ended(report);
    const names = ["Model list", "Completion (billable)", "Message (billable)"];
    for (const [index, name] of names.entries()) {
      assert.match(await report.cell(name, "Time"), /^\d+ ms$/);
      assert.equal(await report.cell(name, "Status"), "200");
      assert.equal(await report.cell(name, "Request ID"), service.journal.entries[index]?.requestId);
    }
    assert.match(
      await report.cell("Network", "Result"),
      /own connection, without a proxy\s+Connected in \d+ ms/,
    );
    assert.deepEqual(await notifications.messages(), [], "the page says it already");
    await screenshot("check-page-passed");
  });

  it("tells who looks elsewhere, and leads back to the page", async () => {
    const { workbench, palette, notifications } = partsOf(editor);
    const report = workbench.report("Connection Check: Good");
    service.pace = 30_000;
    service.journal.clear();
    await palette.run("inference.checkConnection");
    await service.journal.next(({ path }) => path === "/v1/chat/completions", soon());
    await report.result("running");
    await report.frame.getByRole("status").filter({ hasText: "Checking: Completion" }).waitFor();
    await workbench.screenshot("check-running");
    await palette.runTitle("File: New Untitled Text File", "workbench.action.files.newUntitledFile");
    await report.tab.and(workbench.page.locator('[aria-selected="false"]')).waitFor();
    service.pace = 0;
    await notifications.press("the check passed", "Show Details");
    await report.result("good");
  });

  const failures: readonly (readonly [string, string, RegExp, string])[] = [
    ["Wrong", "invalid-key", /failed at the step Model list/, "Model list"],
    ["Expired", "expired-key", /failed at the step Model list: key has expired/, "Model list"],
    ["Dead", "network", /failed at the step Network: host cannot be reached/, "Network"],
    ["Lister", "invalid-key", /failed at the step Completion: key is not accepted/, "Completion (billable)"],
  ];
  for (const [name, cause, summary, step] of failures) {
    it(`explains the failure of ${name} and skips what comes after`, async () => {
      const report = await check(name);
      const result = await report.result("bad");
      assert.match(result, summary);
      assert.ok(!/passed/.test(result), result);
      await report.alert(cause).waitFor();
      assert.match(await report.cell(step, "Result"), new RegExp(`\\(${cause}\\)`));
      assert.match(await report.cell("Message (billable)", "Result"), /Skipped/);
      await editor.workbench.screenshot(`check-${name}`);
    });
  }

  it("opens what mends it, and passes when it runs again", async () => {
    const { quickInput, notifications } = partsOf(editor);
    const report = await check("Stored");
    await report.alert("empty-key").getByRole("button", { name: "Set API Key", exact: true }).click();
    await quickInput.waitFor("The API key of Stored");
    await quickInput.fill(good);
    await quickInput.accept();
    await notifications.toast("The key of Stored is stored").waitFor();
    await report.alert("empty-key").waitFor();
    await report.button("Run Again").click();
    assert.match(await report.result("good"), /passed/);
  });

  it("is run, read and left by the keyboard alone", async () => {
    const { page, palette, workbench } = partsOf(editor);
    await use("Good");
    service.journal.clear();
    await palette.run("inference.checkConnection");
    const report = workbench.report("Connection Check: Good");
    await ended(report);
    service.journal.clear();
    await report.button("Run Again").focus();
    await page.keyboard.press("Enter");
    await ended(report);
    // The pressed button was away while the check ran; the focus stayed among the buttons.
    await report.frame.locator(".report-actions button:focus").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await report.frame.locator(":focus").innerText(), "Copy Support Report");
    await page.keyboard.press("Enter");
    await workbench.page.getByRole("tab", { name: "Support Report" }).waitFor();
  });

  it("shows the support report before it is copied, and copies what is shown", async () => {
    const { page, notifications, screenshot } = partsOf(editor);
    // It stays where the pointer is.
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
  });

  it("looks right in every theme and narrow", async () => {
    const { workbench, page, palette, quickInput } = partsOf(editor);
    await use("Lister");
    await palette.run("inference.checkConnection");
    const report = workbench.report("Connection Check: Lister");
    await report.result("bad");
    const kinds: readonly ThemeKind[] = ["light", "high-contrast-light", "high-contrast-dark", "dark"];
    for (const kind of kinds) {
      await workbench.setTheme(kind);
      await quickInput.root.waitFor({ state: "hidden" });
      await report.button("Run Again").focus();
      await workbench.screenshot(`check-${kind}`);
    }
    const size = page.viewportSize();
    await page.setViewportSize({ width: 560, height: 900 });
    await report.main.waitFor();
    await workbench.screenshot("check-narrow");
    if (size !== null) await page.setViewportSize(size);
  });

  it("has shown, kept and copied no key", async () => {
    const { copiesSearched } = await assertNoLeaks(editor, [good, wrong, expired], {
      after: "after the connection check",
    });
    assert.ok(copiesSearched > 0, "the support report was copied");
  });
});

/** In an order of their own, since the editor's lines stand in the page as they were drawn. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .toSorted();
}
