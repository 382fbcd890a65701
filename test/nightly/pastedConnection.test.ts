import assert from "node:assert/strict";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { readSettings } from "../support/settingsByHand.ts";

const canary = fakeKey("canary-pasted-6c11");

describe("a configuration in the clipboard, in a real editor", () => {
  const service = withService({ keys: [canary] });
  const editor = withEditor({ recordMessages: true });

  it("becomes a connection by keyboard alone, whose headers are sent and whose key is only in secret storage", async () => {
    const { palette, quickInput, dialog, notifications, statusBar, chat, page, screenshot } = partsOf(editor);
    const copy = (text: string): Promise<void> =>
      page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    const pressPaste = async (): Promise<void> => {
      await quickInput.waitFor("a name for this connection");
      await page.keyboard.press("Shift+Tab");
      const focused = await page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
      assert.equal(focused, "Paste Configuration from Clipboard");
      await page.keyboard.press("Enter");
    };
    await copy("Hello");
    await palette.run("inference.addConnection");
    await pressPaste();
    await quickInput.waitFor(/The clipboard contains no configuration/);
    await screenshot("paste-no-configuration");
    await copy(
      [
        `curl ${service.origin}/v1/messages \\`,
        `  -H "x-api-key: ${canary}" -H "anthropic-version: 2023-06-01" \\`,
        `  -H "x-portkey-provider: openai" -H "x-team-token: ${fakeKey("team-0123")}" -k \\`,
        `  -d '{ "model": "service-mini", "messages": [] }'`,
        "curl https://elsewhere.example",
      ].join("\n"),
    );
    await page.keyboard.press("Escape");
    await palette.run("inference.addConnection");
    await pressPaste();
    await quickInput.waitFor("Add Connection from Clipboard");
    await screenshot("paste-name");
    await quickInput.fill("Acme");
    await page.keyboard.press("Enter");
    const review = await dialog.read();
    await screenshot("paste-review");
    assert.equal(review.message, "Add the connection 'Acme' from the clipboard?");
    assert.match(review.detail, /Further headers: x-portkey-provider: openai\nAPI key: found/);
    assert.match(
      review.detail,
      /Not used:\n- The value of the header x-team-token[\s\S]*--insecure[\s\S]*Another curl/,
    );
    await page.keyboard.press("Enter");
    await dialog.root.getByText("Store the API key from the clipboard for 'Acme'?").waitFor();
    await screenshot("paste-key");
    await page.keyboard.press("Enter");
    await notifications.toast("Added 'Acme'.").waitFor();
    await screenshot("paste-added");
    await notifications.press("The clipboard still contains an API key", "Clear Clipboard");
    await statusBar.waitFor(/Acme · service-mini/);

    await chat.open();
    service.journal.clear();
    await chat.send("Hello");
    await chat.usage.first().waitFor();
    const [answer] = service.journal.answers;
    assert.deepEqual([answer?.path, answer?.model], ["/v1/messages", "service-mini"]);
    assert.ok(answer?.headerNames.includes("x-portkey-provider"));
    assert.match(await readSettings(editor), /"x-portkey-provider": "openai"/);
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "");
    await assertNoLeaks(editor, [canary, fakeKey("team-0123")], {
      after: "after a configuration was pasted",
      isExpected: (place) => place === "message to-clipboard",
    });
  });
});
