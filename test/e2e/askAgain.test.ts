import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_ASK_AGAIN_KEY";
const key = fakeKey("ask-again");
const allowed = ["service-core", "service-large"];

/** Holds the page's next frame back, so that the chat of before is still on the screen. */
const holdFrames = `(() => {
  const frames = [];
  const paint = requestAnimationFrame;
  window.requestAnimationFrame = (callback) => frames.push(callback);
  const left = new Promise((resolve) =>
    addEventListener("message", ({ data }) => data.type === "snapshot" && resolve()));
  window.untilLeft = () => left;
  window.paintAgain = () => {
    window.requestAnimationFrame = paint;
    for (const callback of frames) paint(callback);
  };
})()`;

describe("asking again with another model or client style, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({ models: allowed }, key);
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
  });
  beforeEach(() => service.journal.clear());
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  const generated = () =>
    service.journal.entries
      .filter(({ method }) => method === "POST")
      .map(({ path, model }) => `${path} ${model ?? ""}`);

  it("asks by keyboard alone, for this answer only, and keeps both answers", async () => {
    const { chat, page, quickInput, screenshot } = partsOf(editor);
    await chat.open();
    await chat.send("Hello");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("service-core · Chat Completions").waitFor();
    await chat.composer.press("Shift+Tab");
    await page.keyboard.press("ArrowUp");
    const focused = () => chat.frame.locator(":focus").getAttribute("aria-label");
    const names = [await focused()];
    while (names.at(-1) !== "Ask Again With..." && names.at(-1) !== "Message") {
      await page.keyboard.press("Tab");
      names.push(await focused());
    }
    assert.equal(names.at(-1), "Ask Again With...", names.join());
    await page.keyboard.press("Enter");
    const { title, placeholder } = await quickInput.waitFor("Ask Acme Again With");
    assert.equal(title, "Ask Acme Again With");
    assert.equal(placeholder, "A billable request, for this answer only: the chat stays with service-core");
    await quickInput.row("service-large").first().waitFor();
    await screenshot("ask-again-menu");
    await quickInput.fill("service-large");
    assert.deepEqual(await quickInput.labels(), ["service-large", "service-large"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await answer.getByText("service-large · Messages").waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
    await answer.getByText("2 / 2").waitFor();
    await screenshot("ask-again-answer");
    await answer.getByRole("button", { name: "Previous version" }).click();
    await answer.getByText("service-core · Chat Completions").waitFor();
    await answer.getByRole("button", { name: "Next version" }).click();
    await answer.getByText("service-large · Messages").waitFor();
    await chat.button("Model: service-core").waitFor();
    await chat.send("And now?");
    await chat.turns("Assistant").nth(1).getByText("service-core · Chat Completions").waitFor();
    assert.deepEqual(generated(), [
      "/v1/chat/completions service-core",
      "/v1/messages service-large",
      "/v1/chat/completions service-core",
    ]);
  });

  it("sends nothing on Escape, and the focus is where it was", async () => {
    const { chat, quickInput, page } = partsOf(editor);
    const button = chat.turns("Assistant").last().getByRole("button", { name: "Ask Again With..." });
    await button.focus();
    await page.keyboard.press("Enter");
    await quickInput.waitFor("Ask Acme Again With");
    await quickInput.cancel();
    await chat.frame.locator('button[aria-label="Ask Again With..."]:focus').waitFor();
    assert.deepEqual(generated(), []);
  });

  it("is offered where a model is not allowed, and where a text was too long for it", async () => {
    const { chat, quickInput, screenshot } = partsOf(editor);
    const answer = chat.turns("Assistant").last();
    await answer.getByRole("button", { name: "Ask Again With..." }).click();
    await quickInput.waitFor("Ask Acme Again With");
    // A model that the key may not use is not listed, and can be named.
    await quickInput.fill("service-mini");
    await quickInput.row("service-mini").first().click();
    const alert = chat.alert("model-not-allowed");
    await alert.waitFor();
    await screenshot("ask-again-failed");
    assert.equal(await answer.getByRole("button", { name: "Ask Again With..." }).count(), 1, "not twice");
    service.failNext({
      status: 400,
      body: { error: { code: "context_length_exceeded", message: "Too many tokens" } },
    });
    await alert.getByRole("button", { name: "Ask Again With..." }).click();
    await quickInput.waitFor("Ask Acme Again With");
    await quickInput.row("service-large").first().click();
    const tooLong = chat.alert("context-length");
    await tooLong.getByRole("button", { name: "Ask Again With..." }).click();
    await quickInput.waitFor("Ask Acme Again With");
    await quickInput.row("service-core").first().click();
    await answer.getByText("4 / 4").waitFor();
    await answer.getByText("service-core · Chat Completions").waitFor();
    await chat.button("Model: service-core").waitFor();
  });

  it("sends nothing that was asked in a chat that the page was just leaving", async () => {
    const { chat, palette } = partsOf(editor);
    const body = chat.frame.locator("body");
    await body.evaluate(holdFrames);
    await palette.run("inference.newChat");
    await body.evaluate("untilLeft()");
    await chat.send("Asked in the chat of before");
    await body.evaluate("paintAgain()");
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chat.frame.locator("textarea:not(:placeholder-shown)").waitFor();
    assert.equal(await chat.composer.inputValue(), "Asked in the chat of before");
    assert.deepEqual(generated(), []);
    await chat.button("Send").click();
    await chat.turns("You").getByText("Asked in the chat of before").waitFor();
    assert.equal(await chat.turns("You").count(), 1, "now in the new chat");
  });
});
