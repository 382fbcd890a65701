import assert from "node:assert/strict";
import { withEditor } from "../support/withEditor.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { withService } from "../support/withService.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const keys = { Acme: fakeKey("acme-2b81"), Beta: fakeKey("beta-97d0") };

describe("a connection that is changed, in a real editor", () => {
  const acme = withService({ keys: [keys.Acme] });
  const beta = withService({ keys: [keys.Beta] });
  const editor = withEditor(() => ({
    recordMessages: true,
    settings: { "inference.connections": settingOf() },
  }));

  const settingOf = (acmeAddress = acme.origin): readonly object[] => [
    { name: "Acme", baseUrl: acmeAddress },
    { name: "Beta", baseUrl: beta.origin, clientStyle: "messages" },
  ];

  before(async () => {
    const { palette, quickInput, notifications } = partsOf(editor);
    for (const name of ["Beta", "Acme"] as const) {
      await palette.run("inference.useConnection");
      await quickInput.pick(name);
      await palette.run("inference.setApiKey");
      await quickInput.answer(`API key for '${name}'`, keys[name]);
      await notifications.toast(`Stored the API key for '${name}'`).waitFor();
    }
  });

  it("continues a chat with another connection by keyboard alone, after a dialog that names both", async () => {
    const { workbench, chat, quickInput, dialog, page, statusBar, screenshot } = partsOf(editor);
    await chat.open();
    await workbench.beginChat();
    await chat.send("a secret of the first client");
    await chat.usage.first().waitFor();
    assert.deepEqual(questionsSent(), [1, 0]);
    await chat.composer.focus();
    await page.keyboard.type("and for the second client");
    await page.keyboard.press("Control+Alt+.");
    await quickInput.waitFor("Model for This Chat");
    await quickInput.row("service-core").first().waitFor();
    await page.keyboard.type("From 'Beta'");
    await page.keyboard.press("Enter");
    await quickInput.fill("service-mini");
    await quickInput.row("service-mini").nth(1).waitFor();
    await screenshot("chat-models-of-two-connections");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await chat.button("Connection: Beta").waitFor();
    await chat.button("Model: service-mini").waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.press("Enter");
    assert.equal((await dialog.read()).message, "This chat used 'Acme'. Continue the chat with 'Beta'?");
    await screenshot("chat-with-another-connection");
    assert.deepEqual(questionsSent(), [1, 0]);
    await page.keyboard.press("Escape");
    assert.equal(await chat.textGivenBack(), "and for the second client");
    await chat.composer.focus();
    await page.keyboard.press("Enter");
    await dialog.read();
    await page.keyboard.press("Enter");
    await chat.turns("You").getByText("a secret of the first client").waitFor({ state: "detached" });
    await chat.usage.first().waitFor();
    assert.deepEqual(questionsSent(), [1, 1]);
    await chat.button("Connection: Beta").waitFor();
    await statusBar.waitFor(/Acme/);
    await workbench.beginChat();
    await chat.button("Connection: Acme").waitFor();
    await page.keyboard.press("Control+Alt+.");
    await quickInput.root.getByText("Recently used").waitFor();
    await quickInput.cancel();
  });

  it("sends nothing to a changed base URL until the key is set for it", async () => {
    const { workbench, chat, quickInput, screenshot } = partsOf(editor);
    await workbench.updateSettings({ "inference.connections": settingOf(beta.origin) });
    const before = questionsSent();
    await chat.open();
    await workbench.beginChat();
    await chat.send("Where does this go?");
    const alert = chat.alert("key-origin-mismatch");
    const text = await alert.innerText();
    assert.ok(text.includes(acme.origin) && text.includes(beta.origin), text);
    assert.deepEqual(questionsSent(), before);
    await screenshot("moved-address");
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await quickInput.waitFor(`sent only to ${beta.origin}`);
    await quickInput.cancel();
    // The action belongs to the connection that failed, even if the chat uses another one by then.
    await chat.button("Connection: Acme").click();
    await quickInput.pick("Beta");
    await chat.button("Connection: Beta").waitFor();
    await alert.getByRole("button", { name: "Set API Key" }).click();
    await quickInput.waitFor(/key for 'Acme'/i);
    await quickInput.cancel();
    await chat.button("Connection: Beta").click();
    await quickInput.pick("Acme");
    await chat.button("Connection: Acme").waitFor();
    assert.deepEqual(questionsSent(), before);
  });

  it("leaves the keys nowhere", async () => {
    await assertNoLeaks(editor, Object.values(keys), { after: "after connections were changed" });
  });

  /** Number of questions that each service received. Asserts that no request was refused. */
  function questionsSent(): readonly number[] {
    return [acme, beta].map(({ journal: { entries } }) => {
      assert.deepEqual(
        entries.filter(({ refusal }) => refusal !== undefined),
        [],
      );
      return entries.filter(({ method }) => method === "POST").length;
    });
  }
});
