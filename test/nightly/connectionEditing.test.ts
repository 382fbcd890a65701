import assert from "node:assert/strict";
import path from "node:path";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { untilInFolder } from "../support/folderChanges.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { pasteSettings, readSettings, settingsForHand } from "../support/settingsByHand.ts";

const canary = fakeKey("edited-5d20");
const keyVariable = "INFERENCE_EDITING_KEY";

describe("editing a connection, in a real editor", () => {
  const service = withService({ keys: [canary] });
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: {
      ...settingsForHand,
      // Auto save would hide the tab's mark for unsaved changes too early.
      "files.autoSave": "off",
      "inference.connections": [{ name: "Acme", baseUrl: service.origin }],
    },
    environment: { [keyVariable]: canary },
  }));

  async function edit(what: string | RegExp, name = "Acme"): Promise<void> {
    const { palette, quickInput } = partsOf(editor);
    await palette.run("inference.editConnection");
    await quickInput.waitFor(/Which connection do you want to edit/);
    await quickInput.pick(name);
    await quickInput.waitFor(/What do you want to change/);
    await quickInput.pick(what);
  }

  it("leaves the key nowhere after a wrong input box, a changed base URL and a failed save", async () => {
    const { palette, quickInput, notifications, dialog, chat, page, screenshot } = partsOf(editor);
    await edit("Key Source");
    await quickInput.pick("Environment Variable...");
    await quickInput.waitFor(/environment variable that holds the API key/);
    await quickInput.fill(canary);
    await quickInput.accept();
    assert.match(await quickInput.validationMessage(), /looks like an API key/);
    await quickInput.root.locator("input[type=password]").waitFor();
    await quickInput.fill(keyVariable);
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
    await chat.open();
    await chat.send("By the variable");
    await chat.usage.first().waitFor();

    const moved = service.origin.replace("127.0.0.1", "localhost");
    service.journal.clear();
    await edit("Base URL");
    await quickInput.fill(moved);
    await quickInput.accept();
    await dialog.press("Cancel");
    await chat.send("Where does this go?");
    // The chat's answer came from the earlier host.
    await dialog.press("Send Full Conversation");
    const alert = chat.alert("key-origin-mismatch");
    await alert.waitFor();
    await screenshot("variable-refused");
    assert.equal(service.journal.answers.length, 0);
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await dialog.press("Send Key");
    await chat.send("And now?");
    await chat.usage.nth(1).waitFor();

    const settings = await readSettings(editor);
    const writeSettings = async (text: string): Promise<void> => {
      await pasteSettings(editor, text);
      const unsaved = page.locator(".tab.active.dirty");
      await unsaved.waitFor();
      await page.keyboard.press("ControlOrMeta+S");
      const folder = path.join(editor.folders.userData, "User");
      await untilInFolder(folder, async () => (await readSettings(editor)) === text);
      // VS Code writes the file before it marks the tab as saved. Until the tab is marked as saved, VS Code cannot
      // write settings itself.
      await unsaved.waitFor({ state: "detached" });
    };
    await writeSettings(settings.slice(0, settings.lastIndexOf("}")));
    await notifications.clear();
    await palette.run("inference.addConnection");
    await quickInput.answer("a name for this connection", "Later");
    await quickInput.answer("Base URL of the service", service.origin);
    await quickInput.pick("chat-completions");
    await quickInput.answer("API key for 'Later'", canary);
    const message = await notifications.message("'Later' was not added, but what you entered is kept");
    assert.match(message, /Unable to write into user settings/);
    await writeSettings(settings);
    await notifications.press("'Later' was not added", "Try Again");
    await notifications.toast("Added 'Later'.").waitFor();
    assert.ok((await readSettings(editor)).includes('"Later"'));
    await assertNoLeaks(editor, [canary], { after: "after a connection was edited" });
  });
});
