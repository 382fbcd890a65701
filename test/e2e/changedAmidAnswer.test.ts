import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { tellFigure } from "../support/figures.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { dayFromNow } from "./calendar.ts";
import { partsOf, showFailedTest } from "./parts.ts";
import { settingsForHand, writeConnectionsByHand, writeSettingsByHand } from "./settingsByHand.ts";

const firstKey = fakeKey("amid-first");
const secondKey = fakeKey("amid-second");
/** The answer would take minutes, so that a change comes amid it; behind the change it is hurried. */
const question = "about tides /long 6000 /pace 150";

/** Sent by the editor's own transport alone. */
const ofFetch = "sec-fetch-mode";

describe("a model, key, address and connection that change amid an answer, in a real editor", () => {
  const asked: string[] = [];
  let service: ReferenceService;
  let other: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({
      onAsk: ({ messages }) => asked.push(messages.at(-1)?.text ?? ""),
    });
    other = await startReferenceService();
    service.keys.add({}, firstKey);
    service.keys.add({}, secondKey);
    editor = await openEditor({
      settings: { ...settingsForHand, "inference.connections": [entryOf(service)] },
    });
    const { chat } = partsOf(editor);
    await setKey(firstKey);
    await chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
    await other.close();
  });

  async function setKey(key: string): Promise<void> {
    const { palette, quickInput, notifications } = partsOf(editor);
    await palette.run("inference.setApiKey");
    await quickInput.answer("The API key of Acme", key);
    await notifications.toast("The key of Acme is stored").waitFor();
    await notifications.clear();
  }

  /** Asks in a new chat, makes the change while the answer arrives, and sees the answer come to its end. */
  async function askDuring(change: () => Promise<void>): Promise<void> {
    const { chat, workbench } = partsOf(editor);
    await workbench.beginChat();
    service.journal.clear();
    const before = asked.length;
    await chat.send(question);
    const answer = chat.turns("Assistant").first();
    await answer.getByText("Paragraph 1").first().waitFor();
    await change();
    const [entry = assert.fail("nothing was asked")] = service.journal.answers;
    assert.equal(entry.state, "open", "the change came amid the answer");
    service.hurry();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chat.alert().count(), 0);
    // The service may hear of the end behind the chat.
    const { sequence } = entry;
    await service.journal.next((each) => each.sequence === sequence && each.state === "finished", soon());
    assert.deepEqual(asked.slice(before), [question], "it was asked once");
  }

  it("leave the answer to its end when the model changes, which the next question goes to", async () => {
    const { palette, quickInput, statusBar, chat } = partsOf(editor);
    await askDuring(async () => {
      await palette.run("inference.selectModel");
      await quickInput.pick("service-mini");
      await statusBar.waitFor(/service-mini/);
    });
    await chat.send("and now?");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.deepEqual(
      service.journal.answers.map(({ model }) => model),
      ["service-core", "service-mini"],
    );
  });

  it("leave the answer to its end when the network's settings change, by which the next question goes", async () => {
    const { statusBar, chat } = partsOf(editor);
    await askDuring(async () => {
      await writeSettingsByHand(editor, {
        "inference.network.transport": "editor",
        "http.proxyStrictSSL": false,
        // Seen in the status bar, where the others are not.
        "inference.connections": [{ ...entryOf(service), expires: dayFromNow(6) }],
      });
      await statusBar.waitFor(/Acme · .* · expires in 6 days/);
    });
    await chat.send("and now?");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.deepEqual(
      service.journal.answers.map(({ headerNames }) => headerNames.includes(ofFetch)),
      [false, true],
    );
    await writeSettingsByHand(editor, {
      "inference.network.transport": "auto",
      "http.proxyStrictSSL": true,
      "inference.connections": [entryOf(service)],
    });
    await statusBar.waitFor(/Acme · (?!.*expires)/);
  });

  it("leave the answer to its end when the key changes, and the one before is revoked", async () => {
    const { chat } = partsOf(editor);
    await askDuring(async () => {
      await setKey(secondKey);
      service.keys.revoke(firstKey);
    });
    await chat.send("and now?");
    await chat.turns("Assistant").nth(1).getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(service.journal.answers[1]?.status, 200);
  });

  it("leave the answer to its end when the key is removed, without which nothing more is asked", async () => {
    const { chat, dialog, palette, notifications } = partsOf(editor);
    await askDuring(async () => {
      await palette.run("inference.removeApiKey");
      await dialog.press("Remove");
      await notifications.toast("The key of Acme was removed from this computer").waitFor();
    });
    await chat.send("and now?");
    await chat.alert("empty-key").waitFor();
    assert.equal(service.journal.answers.length, 1);
    await notifications.clear();
    await setKey(secondKey);
  });

  it("leave the answer to its end when the connection is removed, and what is typed then is kept", async () => {
    const { chat, statusBar, notifications, screenshot } = partsOf(editor);
    await askDuring(async () => {
      await writeConnectionsByHand(editor, []);
      await statusBar.waitFor(/Add Connection/);
    });
    await chat.composer.fill("and now?");
    await chat.composer.press("Enter");
    await notifications.toast("Inference Chat has no connection yet").waitFor();
    await screenshot("connection-gone");
    assert.equal(await chat.textGivenBack(), "and now?");
    await chat.composer.fill("");
    assert.equal(service.journal.answers.length, 1);
  });

  it("leave the answer to its end when the address changes, where the key does not follow", async () => {
    const { chat, statusBar } = partsOf(editor);
    await writeConnectionsByHand(editor, [entryOf(service)]);
    await statusBar.waitFor(/Acme · service-mini/);
    await askDuring(async () => {
      // The status bar does not show an address, but the expiry that is changed with it.
      await writeConnectionsByHand(editor, [{ ...entryOf(other), expires: dayFromNow(6) }]);
      await statusBar.waitFor(/Acme · .* · expires in 6 days/);
    });
    await chat.send("and now?");
    await chat.alert("key-origin-mismatch").waitFor();
    assert.equal(service.journal.answers.length, 1);
    assert.equal(other.journal.answers.length, 0);
    tellFigure(
      "model, network's settings, key, connection and address changed or removed amid answers: 6 answers whole, 0 questions sent twice or elsewhere",
    );
  });
});

function entryOf({ origin }: ReferenceService): object {
  return { name: "Acme", baseUrl: origin };
}
