import assert from "node:assert/strict";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const acmeKey = fakeKey("acme-2b81");

describe("the key of a connection, in a real editor", () => {
  const acme = withService({ keys: [acmeKey] });
  const beta = withService({ keys: [fakeKey("beta-97d0")] });
  const editor = withEditor(() => ({ settings: { "inference.connections": settingOf() } }));

  const settingOf = (acmeAddress = acme.origin): readonly object[] => [
    { name: "Acme", baseUrl: acmeAddress },
    { name: "Beta", baseUrl: beta.origin, clientStyle: "messages" },
  ];

  before(async () => {
    const { palette, quickInput, notifications } = partsOf(editor);
    await palette.run("inference.useConnection");
    await quickInput.pick("Acme");
    await palette.run("inference.setApiKey");
    await quickInput.answer(`sent only to ${acme.origin}`, acmeKey);
    await notifications.toast("Stored the API key for 'Acme'").waitFor();
  });

  it("sends nothing to a changed base URL until the key is set for it", async () => {
    const { workbench, chat, quickInput, screenshot } = partsOf(editor);
    await workbench.updateSettings({ "inference.connections": settingOf(beta.origin) });
    await chat.open();
    await chat.send("Where does this go?");
    const alert = chat.alert("key-origin-mismatch");
    const text = await alert.innerText();
    assert.ok(text.includes(acme.origin) && text.includes(beta.origin), text);
    assert.deepEqual(questionsSent(), [0, 0]);
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
    assert.deepEqual(questionsSent(), [0, 0]);
  });

  /** Number of questions that each service received. */
  function questionsSent(): readonly number[] {
    return [acme, beta].map(
      ({ journal }) => journal.entries.filter(({ method }) => method === "POST").length,
    );
  }
});
