import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { heard, listen } from "../support/workbench/spoken.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("waiting");
const keyVariable = "INFERENCE_WAITING_KEY";
const overloaded = { error: { type: "overloaded_error", message: "Overloaded" } };

/** Longer than a notice takes to be seen, photographed and answered. */
const stallSeconds = 3;
const retrySeconds = 10;

describe("waits, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: {
        "inference.connections": [{ name: "Busy", baseUrl: service.origin, keyVariable }],
        "inference.network.stallTimeout": stallSeconds,
      },
      environment: { [keyVariable]: key },
    });
    const { chat, quickInput } = editor.workbench;
    await chat.open();
    await chat.button("Connection:").click();
    await quickInput.pick("Busy");
    await chat.button("Connection: Busy").waitFor();
  });
  beforeEach(async () => {
    service.journal.clear();
    await editor.workbench.beginChat();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("counts down to two more tries of an overloaded service, and then shows the answer", async () => {
    const { chat, screenshot } = partsOf(editor);
    await listen(chat);
    const headers = { "retry-after": String(retrySeconds) };
    service.failNext({ status: 529, headers, body: overloaded, times: 2 });
    await chat.send("Hello");
    const notice = chat.retryNotice.getByText("(2 of 3)");
    const before = await notice.innerText();
    assert.match(before, /^The service is overloaded\. Trying again in \d+ s \(2 of 3\)$/);
    await notice.filter({ hasNotText: before }).waitFor();
    await screenshot("retry-countdown");
    await chat.usage.first().waitFor();
    const said = (await heard(chat, /\(3 of 3\)/)).filter((text) => text.includes("Trying again"));
    // Once for each wait, and not with every second of it.
    assert.deepEqual(
      said,
      [2, 3].map((at) => `The service is overloaded. Trying again in ${retrySeconds} s (${at} of 3)`),
    );
    assert.equal(await chat.retryNotice.count(), 0);
    assert.equal(await chat.alert().count(), 0);
    assert.equal(service.journal.answers.length, 3);
  });

  it("tries at once by Retry Now, and the focus goes to the composer", async () => {
    const { chat } = partsOf(editor);
    service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
    await chat.send("Hello");
    await chat.retryNotice.getByRole("button", { name: "Retry Now" }).click();
    await chat.usage.first().waitFor();
    assert.equal(service.journal.answers.length, 2);
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("leaves the focus where one types on when the countdown ends under it", async () => {
    const { chat } = partsOf(editor);
    const headers = { "retry-after": String(retrySeconds) };
    service.failNext({ status: 529, headers, body: overloaded });
    await chat.send("Hello");
    await chat.retryNotice.getByRole("button", { name: "Retry Now" }).focus();
    await chat.retryNotice.locator("button:focus").waitFor();
    await chat.usage.first().waitFor();
    assert.equal(service.journal.answers.length, 2);
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("ends the countdown by Stop, with what failed and its remedies", async () => {
    const { chat, statusBar, screenshot } = partsOf(editor);
    service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
    await chat.send("Hello");
    await chat.retryNotice.getByRole("button", { name: "Stop" }).click();
    await chat.alert("overloaded").waitFor();
    assert.equal(await chat.retryNotice.count(), 0);
    assert.equal(service.journal.answers.length, 1);
    await statusBar.waitForKind("warning");
    await screenshot("retry-stopped");
    await chat.alert("overloaded").getByRole("button", { name: "Retry" }).click();
    await chat.usage.first().waitFor();
  });

  it("tells of a wait that is too long, and does not wait it", async () => {
    const { chat, screenshot } = partsOf(editor);
    service.failNext({ status: 429, headers: { "retry-after": "720" } });
    await chat.send("Hello");
    const alert = chat.alert("rate-limited");
    await alert.getByText("asks to wait 12 minutes").first().waitFor();
    await screenshot("retry-long-wait");
  });

  it("says when nothing arrives, and takes it back when something does", async () => {
    const { chat, screenshot } = partsOf(editor);
    await chat.send("Hello /long 60 /pace 15000");
    await chat.silenceNotice.getByText("Nothing has arrived for 3 s.").waitFor();
    await chat.silenceNotice.getByRole("button", { name: "Wait" }).click();
    await chat.silenceNotice.getByText("Nothing has arrived for 6 s.").waitFor();
    await screenshot("silence");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await chat.silenceNotice.waitFor({ state: "detached" });
    await chat.silenceNotice.getByText("Nothing has arrived for 3 s.").waitFor();
    await screenshot("silence-in-text");
    assert.equal(await chat.alert().count(), 0);
    await chat.silenceNotice.getByRole("button", { name: "Stop" }).click();
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    assert.equal(await chat.silenceNotice.count(), 0);
  });

  it("asks again by Retry, and keeps the silent answer as a version", async () => {
    const { chat } = partsOf(editor);
    service.pace = 60_000;
    await chat.send("Hello");
    await chat.silenceNotice.waitFor();
    service.pace = 0;
    await chat.silenceNotice.getByRole("button", { name: "Retry" }).click();
    await service.journal.next(({ state }) => state === "aborted", soon());
    await chat.usage.first().waitFor();
    await chat.frame.getByText("2 / 2").waitFor();
  });

  it("lists the models after a refusal, and says in the progress what it waits for", async () => {
    const { palette, quickInput, notifications, screenshot } = partsOf(editor);
    service.failNext({ of: "models", status: 503, headers: { "retry-after": String(retrySeconds) } });
    await palette.run("inference.listModels");
    await notifications.toast(/Trying again in \d+ s \(2 of 3\)/).waitFor();
    await screenshot("retry-models");
    await quickInput.waitFor(/3 models/);
    await quickInput.cancel();
  });

  for (const theme of ["dark", "high-contrast-dark", "high-contrast-light"] as const) {
    it(`is legible in the theme ${theme}`, async () => {
      const { workbench, chat, screenshot } = partsOf(editor);
      await workbench.setTheme(theme);
      await chat.open();
      service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
      await chat.send("Hello");
      await chat.retryNotice.waitFor();
      await screenshot(`retry-${theme}`);
      await chat.retryNotice.getByRole("button", { name: "Stop" }).click();
      await chat.alert("overloaded").waitFor();
    });
  }
});
