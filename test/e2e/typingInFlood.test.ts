import assert from "node:assert/strict";
import { createSampleAnswer } from "../bench/sampleAnswer.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
/** Far more than arrives while the test types. */
const flood = createSampleAnswer(12_000_000);
const typed = "The quick brown fox, typed while much arrives: 0123456789. ".repeat(3);

const caretOf = inPage<readonly [number, number]>("(field) => [field.selectionStart, field.selectionEnd]");
const selectedText = inPage<string>("() => getSelection().toString()");
const lengthOf = inPage<number>("(element) => element.textContent.length");

describe("typing while an answer floods in, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({ answers: () => flood });
    const key = fakeKey("flood");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 10_000_000,
      },
      environment: { [keyVariable]: key },
    });
  });
  beforeEach(async () => {
    const { chat } = partsOf(editor);
    await chat.open();
    await editor.workbench.beginChat();
    await chat.send("flood");
    await chat.turns("Assistant").first().locator("h2").first().waitFor();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
    const { chat } = partsOf(editor);
    await chat.frame.getByRole("button", { name: "Stop", exact: true }).click();
    // What has come is drawn first.
    const stopped = chat.turns("Assistant").first().getByRole("button", { name: "Retry" });
    await stopped.waitFor({ timeout: 240_000 });
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** Until so much more has been drawn. */
  async function grow(characters: number): Promise<void> {
    const answer = partsOf(editor).chat.turns("Assistant").first().locator(".markdown").last();
    const before = await answer.evaluate(lengthOf);
    while ((await answer.evaluate(lengthOf)) < before + characters) {
      await answer.page().evaluate("new Promise(requestAnimationFrame)");
    }
  }

  it("loses and reorders nothing, and keeps focus, caret and selection", async () => {
    const { chat, page } = partsOf(editor);
    await chat.composer.focus();
    await page.keyboard.type(typed);
    assert.equal(await chat.composer.inputValue(), typed);
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("First, ");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("and last.");
    const text = `First, ${typed}and last.`;
    assert.equal(await chat.composer.inputValue(), text);
    for (let count = 0; count < 5; count += 1) await page.keyboard.press("Shift+ArrowLeft");
    await grow(20_000);
    assert.deepEqual(await chat.composer.evaluate(caretOf), [text.length - 5, text.length]);
    await page.keyboard.type("more.");
    await chat.frame.locator("textarea:focus").waitFor();
    assert.equal(await chat.composer.inputValue(), `${text.slice(0, -5)}more.`);
    assert.equal(
      await chat.frame.getByRole("button", { name: "Stop", exact: true }).count(),
      1,
      "it arrives",
    );
  });

  it("keeps what is selected in the text that stands", async () => {
    const { chat } = partsOf(editor);
    const answer = chat.turns("Assistant").first();
    await answer.locator("h2").first().selectText();
    const selected = await answer.evaluate(selectedText);
    assert.match(selected, /^1\. \w+/);
    await grow(50_000);
    assert.equal(await answer.evaluate(selectedText), selected);
    const list = answer.locator("li p").first();
    await list.selectText();
    const inList = await answer.evaluate(selectedText);
    await grow(20_000);
    assert.equal(await answer.evaluate(selectedText), inList);
  });

  it("keeps the focus on the turn that the arrow keys have reached", async () => {
    const { chat, page } = partsOf(editor);
    await chat.transcript.focus();
    await page.keyboard.press("ArrowUp");
    await chat.frame.locator("article.answer:focus").waitFor();
    await page.keyboard.press("ArrowUp");
    await chat.frame.locator("article:not(.answer):focus").waitFor();
    await grow(20_000);
    await chat.frame.locator("article:not(.answer):focus").waitFor();
    await chat.composer.focus();
    await page.keyboard.type("back");
    assert.equal(await chat.composer.inputValue(), "back");
    await chat.composer.fill("");
  });
});
