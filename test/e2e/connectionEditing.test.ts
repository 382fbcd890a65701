import assert from "node:assert/strict";
import path from "node:path";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { dayFromNow } from "./calendar.ts";
import { untilInFolder } from "./folderChanges.ts";
import { assertNoLeaks } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";
import { pasteSettings, readSettings, settingsForHand } from "./settingsByHand.ts";

const canary = fakeKey("edited-5d20");
const keyVariable = "INFERENCE_EDITING_KEY";

describe("editing a connection, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        ...settingsForHand,
        // A tab whose file saves itself may not show for long that it is to be saved.
        "files.autoSave": "off",
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, expires: dayFromNow(6) }],
      },
      environment: { [keyVariable]: canary },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  async function edit(what: string | RegExp, name = "Acme"): Promise<void> {
    const { palette, quickInput } = partsOf(editor);
    await palette.run("inference.editConnection");
    await quickInput.waitFor(/Which connection shall be changed/);
    await quickInput.pick(name);
    await quickInput.waitFor(/What shall be changed/);
    await quickInput.pick(what);
  }

  it("shows a near expiry in the status bar, and not as an alarm", async () => {
    const { statusBar, screenshot } = partsOf(editor);
    await statusBar.waitFor("Acme · service-core · expires in 6 days");
    await statusBar.waitForKind("standard");
    assert.match(await statusBar.accessibleName(), /The key expires in 6 days, on \d{4}-\d\d-\d\d/);
    await screenshot("expiry-near");
  });

  it("takes a date of the calendar for the expiry, says what is none, and nothing for none", async () => {
    const { quickInput, statusBar, screenshot } = partsOf(editor);
    await edit("Expiry Date");
    await quickInput.waitFor(/The last day of the key/);
    for (const text of ["31.12.2030", "2030-02-30", "soon"]) {
      await quickInput.fill(text);
      await quickInput.accept();
      assert.match(await quickInput.validationMessage(), /such as 2027-01-31/);
    }
    await screenshot("expiry-no-date");
    await quickInput.fill(dayFromNow(1));
    await quickInput.accept();
    await statusBar.waitFor("expires tomorrow");
    await statusBar.waitForKind("warning");
    await screenshot("expiry-tomorrow");
    await edit("Expiry Date");
    await quickInput.fill("2020-01-31");
    await quickInput.waitFor(/This day is past/);
    await quickInput.accept();
    await statusBar.waitFor("Acme · service-core · expired");
    await statusBar.waitForKind("warning");
    assert.match(await statusBar.accessibleName(), /expiry date 2020-01-31 is past/);
    await edit("Expiry Date");
    await quickInput.fill("");
    await quickInput.accept();
    await statusBar.waitForKind("standard");
    await statusBar.waitFor(/service-core$/);
  });

  it("changes the default model", async () => {
    const { quickInput, statusBar } = partsOf(editor);
    await edit("Default Model");
    await quickInput.fill("two words");
    await quickInput.accept();
    assert.match(await quickInput.validationMessage(), /one word without blanks/);
    await quickInput.fill("service-mini");
    await quickInput.accept();
    await statusBar.waitFor(/Acme · service-mini/);
  });

  it("takes the key from a variable, whose name is no key", async () => {
    const { chat, quickInput, screenshot } = partsOf(editor);
    await edit("Source of the Key");
    await quickInput.pick("Environment Variable...");
    await quickInput.waitFor(/environment variable that holds the key/);
    await quickInput.fill(canary);
    await quickInput.accept();
    assert.match(await quickInput.validationMessage(), /looks like a key/);
    await quickInput.root.locator("input[type=password]").waitFor();
    assert.equal((await quickInput.read()).value, canary, "hidden, and not lost");
    await quickInput.fill("NOT_SET_ANYWHERE");
    await quickInput.waitFor(/NOT_SET_ANYWHERE is not set where the editor was started/);
    assert.equal((await quickInput.read()).isPassword, false);
    await screenshot("key-variable-not-set");
    await quickInput.fill(keyVariable);
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
    service.journal.clear();
    await chat.open();
    await chat.send("By the variable");
    await chat.usage.first().waitFor();
    assert.equal(service.journal.answers[0]?.status, 200);
  });

  it("asks before the key of a variable goes to another address", async () => {
    const { chat, quickInput, dialog, screenshot } = partsOf(editor);
    const moved = service.origin.replace("127.0.0.1", "localhost");
    assert.notEqual(moved, service.origin);
    service.journal.clear();
    await edit("Base Address");
    await quickInput.fill(moved);
    await quickInput.accept();
    const { message, detail } = await dialog.read();
    assert.equal(message, `Send the key of the variable ${keyVariable} to ${new URL(moved).host}?`);
    assert.ok(detail.includes(service.origin) && detail.includes(moved), detail);
    await screenshot("variable-moved");
    await dialog.press("Cancel");
    await chat.send("Where does this go?");
    const alert = chat.alert("key-origin-mismatch");
    const text = await alert.innerText();
    assert.ok(text.includes(service.origin) && text.includes(moved), text);
    await screenshot("variable-refused");
    assert.equal(service.journal.answers.length, 0);
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await dialog.press("Send Key");
    await chat.send("And now?");
    await chat.usage.nth(1).waitFor();
    assert.equal(service.journal.answers[0]?.status, 200);
  });

  it("takes the key from the store again", async () => {
    const { quickInput } = partsOf(editor);
    await edit("Source of the Key");
    await quickInput.pick("Secret Store");
    await quickInput.waitFor("The API key of Acme");
    await quickInput.cancel();
  });

  it("says why a remote http address is not taken, and offers https", async () => {
    const { palette, quickInput, screenshot } = partsOf(editor);
    await palette.run("inference.addConnection");
    await quickInput.answer("A name for this client engagement", "Open");
    await quickInput.waitFor("base address");
    await quickInput.fill("http://h.example:8080/v1");
    await quickInput.waitFor(/could be read on the way/);
    await screenshot("http-address");
    await quickInput.accept();
    await quickInput.waitFor(/With http the key could be read on the way/);
    await quickInput.row("Use https://h.example:8080/v1").waitFor();
    await screenshot("http-or-https");
    // Escape goes back to the address, where nothing typed is lost.
    await quickInput.input.press("Escape");
    await quickInput.waitFor("base address");
    assert.equal((await quickInput.read()).value, "http://h.example:8080/v1");
    await quickInput.accept();
    await quickInput.pick("Use https://h.example:8080/v1");
    const { message } = await quickInput.waitFor(/How requests are made/);
    assert.equal(message, "");
    await quickInput.row("chat-completions").getByText("POST https://h.example:8080/v1/").waitFor();
    await quickInput.cancel();
  });

  it("allows http knowingly, and warns of it for as long as it is so", async () => {
    const { palette, quickInput, dialog, notifications, statusBar, chat, screenshot } = partsOf(editor);
    await palette.run("inference.addConnection");
    await quickInput.answer("A name for this client engagement", "Open");
    await quickInput.answer("base address", "http://h.example:8080");
    await quickInput.pick("Allow http for This Connection...");
    const { message, detail } = await dialog.read();
    assert.match(message, /Send the key of Open to h\.example:8080 without encryption\?/);
    assert.match(detail, /Everyone on the way can read and change/);
    await screenshot("allow-http");
    await dialog.press("Allow http");
    await quickInput.waitFor(/How requests are made/);
    await quickInput.pick("chat-completions");
    await quickInput.waitFor("The API key of Open");
    await quickInput.cancel();
    await notifications.toast("Open was added without a key").waitFor();
    await palette.run("inference.useConnection");
    await quickInput.row("Open").waitFor();
    assert.ok((await quickInput.labels()).some((label) => /h\.example:8080 .*not encrypted/.test(label)));
    await quickInput.pick("Open");
    await statusBar.waitFor(/Open · service-core/);
    await statusBar.waitForKind("warning");
    assert.match(await statusBar.accessibleName(), /Not encrypted: .* on the way to h\.example:8080/);
    await chat.open();
    await chat.frame.getByRole("note").getByText("Not encrypted").waitFor();
    await screenshot("not-encrypted");
    await palette.run("inference.editConnection");
    await quickInput.pick("Open");
    await quickInput.waitFor(/What shall be changed/);
    await quickInput.row("Forbid http").waitFor();
    await screenshot("edit-connection");
    await quickInput.pick("Forbid http");
    await chat.frame.getByRole("note").waitFor({ state: "detached" });
    await statusBar.waitForKind("standard");
    await edit("Allow http...", "Open");
    await dialog.press("Cancel");
    await statusBar.waitForKind("standard");
  });

  it("keeps what was answered where the settings cannot be written, says why, and adds it once they can", async () => {
    const { palette, quickInput, notifications, page } = partsOf(editor);
    const settings = await readSettings(editor);
    const writeSettings = async (text: string): Promise<void> => {
      await pasteSettings(editor, text);
      const unsaved = page.locator(".tab.active.dirty");
      await unsaved.waitFor();
      await page.keyboard.press("ControlOrMeta+S");
      const folder = path.join(editor.folders.userData, "User");
      await untilInFolder(folder, async () => (await readSettings(editor)) === text);
      // The file is written before the editor knows it for saved, and until then it writes no setting itself.
      await unsaved.waitFor({ state: "detached" });
    };
    await writeSettings(settings.slice(0, settings.lastIndexOf("}")));
    await notifications.clear();
    await palette.run("inference.addConnection");
    await quickInput.answer("A name for this client engagement", "Later");
    await quickInput.answer("base address", service.origin);
    await quickInput.pick("chat-completions");
    await quickInput.answer("The API key of Later", canary);
    const message = await notifications.message("Later is not added yet, and your answers are kept");
    assert.match(message, /Unable to write into user settings/);
    await writeSettings(settings);
    await notifications.press("Later is not added yet", "Try Again");
    await notifications.toast("Later was added.").waitFor();
    assert.ok((await readSettings(editor)).includes('"Later"'));
  });

  it("has written the key nowhere", async () => {
    await assertNoLeaks(editor, [canary], { after: "after a connection was edited" });
  });
});
