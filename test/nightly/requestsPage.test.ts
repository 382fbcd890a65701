import assert from "node:assert/strict";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { findWebview } from "../support/workbench/webviewFrame.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

const question = "Why is the heron grey?";

describe("the page of requests, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    settings: { "inference.chat.prices": { "service-core": { input: 2.5, output: 10 } } },
  });

  it("shows a question with its title, cost and request ID by keyboard, follows the next one, and is cleared", async () => {
    const { workbench, chat, palette, page, dialog, screenshot } = partsOf(editor);
    await palette.run("inference.openChat");
    await chat.find();
    await chat.send(question);
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await palette.run("inference.showRequests");
    await workbench.report("Requests").tab.waitFor();
    const frame = await findWebview(page, "editor");
    const rows = frame.getByRole("table", { name: "Newest first" }).locator("tbody tr");
    const asked = rows.and(frame.locator('[data-asker="chat"]'));
    await asked.filter({ hasText: question }).filter({ hasText: "$" }).waitFor();
    const [{ requestId } = assert.fail()] = service.journal.answers;
    await asked.getByText(requestId).waitFor();
    await screenshot("requests");

    await chat.find();
    await chat.send("And the stork?");
    await asked.nth(1).waitFor();

    const focused = frame.locator(":focus");
    await frame.locator("h1").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("heron");
    assert.equal(await asked.count(), 2, "Both questions are in one chat.");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("Tab");
    assert.equal(await focused.innerText(), "Copy as CSV");
    await page.keyboard.press("Enter");
    const csv = await readClipboard(page, "time,asked_by,");
    assert.ok(csv.includes(requestId) && !csv.includes("heron"), csv);

    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await dialog.press("Clear");
    await frame.getByText("No requests are recorded yet.").waitFor();
    assert.equal(await focused.innerText(), "Refresh", "The dialog took the focus, and its button is gone.");
    await screenshot("requests-cleared");
  });
});
