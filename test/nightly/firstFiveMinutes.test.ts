import assert from "node:assert/strict";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { answerForAcme, partsOf } from "../support/workbench/parts.ts";

const key = fakeKey("first-3c51");
const replacement = fakeKey("second-a8d0");
const question = "How do I keep a line without a number out of the average?";
const answer = `\`Number("")\` is \`0\`, so a line without a number pulls the average down. Leave such lines out where they are read:

\`\`\`ts summary.ts
.slice(1)
.filter((line) => /,-?[\\d.]+$/.test(line))
.map((line) => {
\`\`\`

\`average\` then divides by the readings that are left. Of none of them it is \`NaN\`, which the last line should say.
`;

/** Follows the README step by step. The README's screenshots come from this test (`npm run screenshots`). */
describe("the first five minutes of a new user, in a real editor", () => {
  const service = withService({
    answers: (message) => (message.includes(question) ? answer : undefined),
    contextWindow: 128_000,
    keys: [key],
  });
  const editor = withEditor({
    fresh: true,
    settings: {
      "workbench.colorTheme": "Dark 2026",
      "editor.minimap.enabled": false,
      "breadcrumbs.enabled": false,
      // TypeScript reports problems of the sample at an unpredictable time, and they are not part of this test.
      "typescript.validate.enable": false,
    },
    viewport: { width: 1200, height: 760 },
  });

  const stepIsDone = (step: string): Promise<void> =>
    editor.workbench.page
      .locator(`[data-done-step-id$="inference.start#${step}"][aria-checked="true"]`)
      .waitFor();

  it("1: the status bar opens the walkthrough, which adds a connection: name, base URL, client style and key", async () => {
    const { statusBar, quickInput, page } = partsOf(editor);
    await statusBar.waitFor("Add Connection");
    await statusBar.press();
    await quickInput.pick("Get Started");
    await page.getByText("Get Started with Inference Chat").first().waitFor();
    await page.getByRole("button", { name: "Add Connection" }).first().click();
    await answerForAcme(editor, `${service.origin}/v1/chat/completions`, key);
    await statusBar.waitFor(/Acme · service-core/);
    await stepIsDone("connection");
    await stepIsDone("key");
  });

  it("2: the connection check asks, then passes", async () => {
    const { notifications, dialog, workbench, page, screenshot } = partsOf(editor);
    await notifications.press("Added 'Acme'", "Check Connection");
    await dialog.press("Run Check");
    const report = workbench.report("Connection Check: Acme");
    await report.result("good");
    await screenshot("readme check");
    await page.getByRole("tab", { name: /Welcome/ }).click();
    await stepIsDone("check");
  });

  it("3: a model is selected for the workspace", async () => {
    const { palette, quickInput, statusBar } = partsOf(editor);
    await palette.run("inference.selectModel");
    await quickInput.pick("service-large");
    await statusBar.waitFor(/Acme · service-large/);
  });

  it("4: a question about the open file is answered", async () => {
    const { palette, chat, explorer, workbench, page, screenshot } = partsOf(editor);
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
    await explorer.open();
    await explorer.row("summary.ts").dblclick();
    await workbench.waitForFocusIn("summary.ts");
    await chat.open();
    await workbench.setViewWidth(440);
    await chat.composer.fill("#summary.ts");
    await chat
      .offer(/^summary\.ts/)
      .first()
      .click();
    await chat.attachment(/^summary\.ts/).waitFor();
    await chat.send(question);
    const turn = chat.turns("Assistant").first();
    await turn.getByRole("button", { name: "Apply in Editor" }).waitFor();
    await chat.usage.first().waitFor();
    await page.mouse.move(0, 0);
    await screenshot("readme chat");
    assert.equal(service.journal.answers.at(-1)?.model, "service-large");
  });

  it("5: a revoked key is reported in the chat, and replaced from there", async () => {
    const { chat, quickInput, notifications, statusBar, page, screenshot } = partsOf(editor);
    service.keys.revoke(key);
    service.keys.add({}, replacement);
    const asked = "Now write a test for it.";
    await chat.send(asked);
    const alert = chat.alert("revoked-key");
    await alert.waitFor();
    await statusBar.waitForKind("error");
    await page.mouse.move(0, 0);
    await screenshot("readme failure");
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await quickInput.answer("API key for 'Acme'", replacement);
    await notifications.message("Stored the API key for 'Acme'");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).click();
    await chat.usage.nth(1).waitFor();
    assert.equal(await chat.alert().count(), 0);
    assert.match(await chat.turns("You").nth(1).innerText(), new RegExp(asked));
  });
});
