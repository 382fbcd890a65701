import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { serveSecretKey } from "../support/workbench/browserSession.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { settingsForHand, writeConnectionsByHand } from "../support/settingsByHand.ts";

const oldKey = fakeKey("exposed-3f61");
const newKey = fakeKey("replacement-a7d4");

describe("an exposed key and its replacement, in a real editor", () => {
  const service = withService({ keys: [oldKey] });
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: { ...settingsForHand, "inference.connections": entries("Acme", "Beta") },
  }));

  const entries = (...names: string[]): readonly object[] =>
    names.map((name) => ({ name, baseUrl: service.origin }));

  async function setKey(key: string): Promise<void> {
    const { palette, quickInput, notifications } = partsOf(editor);
    await palette.run("inference.setApiKey");
    await quickInput.answer("API key for 'Acme'", key);
    await notifications.toast("Stored the API key for 'Acme'").waitFor();
  }

  async function clipboardWith(text: string): Promise<string> {
    const { page } = partsOf(editor);
    // `waitForFunction` polls, but does not wait for promises.
    const filled = await page.waitForFunction<string>(
      `navigator.clipboard.readText().then((text) => void (globalThis.copied = text));
       String(globalThis.copied).includes(${JSON.stringify(text)}) && globalThis.copied`,
    );
    return filled.jsonValue();
  }

  it("is replaced after an exposure: revoked, set again, checked and recorded", async () => {
    const { palette, quickInput, dialog, notifications, statusBar, screenshot } = partsOf(editor);
    await palette.run("inference.useConnection");
    await quickInput.pick("Acme");
    await statusBar.waitFor(/Acme/);
    await setKey(oldKey);
    service.journal.clear();
    await palette.run("inference.replaceExposedKey");
    await quickInput.waitFor("Which connection's key was exposed?");
    await quickInput.pick("Acme");
    assert.match((await dialog.read()).message, /Revoke the old key for 'Acme' at the service now/);
    await screenshot("replace-1-revoke");
    service.keys.replace(oldKey, newKey);
    await dialog.press("Mark as Revoked");
    await quickInput.answer("API key for 'Acme'", oldKey);
    assert.match((await dialog.read()).message, /same key as before/);
    await screenshot("replace-2-same-key");
    await dialog.press("Enter a Different Key");
    await quickInput.answer("API key for 'Acme'", newKey);
    assert.match((await dialog.read()).detail, /1 billable request/);
    await screenshot("replace-3-check");
    assert.equal(service.journal.entries.length, 0);
    await dialog.press("Run Check");
    const { message, detail } = await dialog.read();
    assert.match(message, /Replaced the API key for 'Acme'/);
    assert.match(detail, /The new key passed the check/);
    assert.match(
      detail,
      /Key also used by: this workspace \(workspace\), connection Beta \(the same service\)/,
    );
    await screenshot("replace-4-summary");
    await dialog.press("Copy Incident Record");
    const record = await clipboardWith("noticed:");
    assert.match(record, /^noticed: \S+Z, .*; revoked: \S+Z; replaced: \S+Z; checked: \S+Z, passed; /);
    assert.match(record, /also used by: workspace workspace \(.+\), connection Beta/);
    assert.ok(!record.includes(oldKey) && !record.includes(newKey));
    await notifications.waitUntilGone("Checking 'Acme'");
    assert.deepEqual(
      service.journal.entries.map(({ status }) => status),
      [200, 200],
    );
  });

  it("is not lost if its connection is cut and pasted in the settings", async () => {
    const { notifications, chat, statusBar, screenshot } = partsOf(editor);
    // When its last entry is cleared, the notification list closes. Then a later notification is shown as a toast.
    await notifications.clear();
    await writeConnectionsByHand(editor, entries("Beta"));
    await statusBar.waitFor(/Select Connection/);
    const unused =
      "The connection 'Acme' is no longer in the settings. Its key is still stored on this computer.";
    assert.deepEqual(await notifications.buttons(unused), ["Remove Unused Keys..."]);
    await screenshot("unused-key");
    await writeConnectionsByHand(editor, entries("Acme", "Beta"));
    await statusBar.waitFor(/Acme · service-core/);
    await notifications.pressInList(unused, "Remove Unused Keys...");
    await notifications.toast("No unused keys are stored on this computer.").waitFor();
    await chat.open();
    await chat.send("Is the key still there?");
    await chat.usage.first().waitFor();
  });

  it("is reported as lost if VS Code's secret storage has lost it", async () => {
    const { workbench, chat, page, screenshot } = partsOf(editor);
    // With another server half of the encryption key, the page cannot decrypt its stored secrets.
    await page.addInitScript(serveSecretKey(randomBytes(32)));
    await workbench.reload();
    await chat.open();
    await chat.send("Where is the key?");
    const text = await chat.alert("empty-key").innerText();
    assert.match(
      text,
      /The API key for this connection is no longer stored\. The secret storage was cleared/,
    );
    await screenshot("key-not-kept");
    await chat.alert("empty-key").getByRole("button", { name: "Set API Key" }).waitFor();
  });

  it("is in no log, no settings and no page", async () => {
    await assertNoLeaks(editor, [oldKey, newKey], { after: "after its life from exposure to end" });
  });
});
