import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { countRequests, probeIds, probeSteps } from "../../src/connection/compatibility/compatibility.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

const key = fakeKey("compatibility");
const all = probeIds.length;
/** Number of billable requests for both client styles. */
const requests = countRequests(probeSteps(clientStyles, probeIds));

describe("verifying compatibility, in a real editor", () => {
  const { service, editor } = withConnectedEditor({ key, recordMessages: true });

  // The result page is the first page in this window. The chat opens later.
  const page = (): Locator =>
    editor.workbench.page
      .locator("iframe.webview")
      .first()
      .contentFrame()
      .frameLocator("iframe#active-frame")
      .getByRole("main");
  const cell = (feature: string, style: string): Locator =>
    page().locator(`tr[data-row="${feature}"] td[data-column="${style}"]`);
  const summary = (text: string | RegExp): Locator => page().getByRole("status").filter({ hasText: text });

  it("asks first, shows evidence for both client styles side by side, and leaves the key nowhere", async () => {
    const { palette, quickInput, dialog, screenshot } = partsOf(editor);
    await palette.run("inference.verifyCompatibility");
    await quickInput.waitFor("Verify Compatibility (1/2)");
    await quickInput.accept();
    await quickInput.waitFor(`Verify Compatibility (2/2): ${requests - 4} Billable Requests`);
    await quickInput.row("Image input").click();
    await quickInput.row("PDF input").click();
    await quickInput.waitFor(`${requests} Billable Requests`);
    await screenshot("compatibility-probes");
    await quickInput.accept();
    assert.match((await dialog.read()).message, new RegExp(`Send ${requests} billable requests to 'Acme'`));
    assert.equal(service.journal.entries.length, 0);
    await dialog.press("Verify");
    await summary(`Verified. ${all * 2} yes, 0 no, 0 unclear`).waitFor();
    assert.equal(service.journal.entries.length, requests);
    for (const style of clientStyles) {
      const text = await cell("Tool use", style).innerText();
      assert.match(text, /yes/);
      assert.match(text, /The model called look_up_word .*The answer used the tool result/);
      const asked = service.journal.entries.filter(({ path }) =>
        path.includes(style === "messages" ? "messages" : "chat"),
      );
      const ids = await Promise.all(asked.map(({ requestId }) => page().getByText(requestId).count()));
      // For a tool call, only the request that proves the result is shown.
      const call = probeIds.indexOf("tools");
      assert.deepEqual(
        ids,
        asked.map((_, index) => (index === call ? 0 : 1)),
      );
    }
    await screenshot("compatibility-table");
    await page().getByRole("button", { name: "Copy as Markdown" }).click();
    await readClipboard(editor.workbench.page, "# Compatibility of Acme");
    service.keys.revoke(key);
    await page().getByRole("button", { name: "Verify Again" }).press("Enter");
    await dialog.press("Verify");
    await page().locator('[role="alert"][data-cause="revoked-key"]').waitFor();
    await screenshot("compatibility-stopped");
    await assertNoLeaks(editor, [key], { after: "after compatibility was verified" });
  });
});
