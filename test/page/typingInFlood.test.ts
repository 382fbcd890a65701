import assert from "node:assert/strict";
import { createSampleAnswer } from "../bench/sampleAnswer.ts";
import { chatPages } from "../support/page/chatPages.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { inPage } from "../support/workbench/inPage.ts";

/** Far more than arrives while the test types. */
const flood = createSampleAnswer(12_000_000);
const typed = "The quick brown fox, typed while much arrives: 0123456789. ";

const caretOf = inPage<readonly [number, number]>("(field) => [field.selectionStart, field.selectionEnd]");
const selectedText = inPage<string>("() => getSelection().toString()");
const lengthOf = inPage<number>("(element) => element.textContent.length");

/** Until so much more has been drawn. */
async function grow(chat: ChatView, characters: number): Promise<void> {
  const answer = chat.turns("Assistant").first().locator(".markdown").last();
  const before = await answer.evaluate(lengthOf);
  while ((await answer.evaluate(lengthOf)) < before + characters) {
    await answer.page().evaluate("new Promise(requestAnimationFrame)");
  }
}

describe("typing while an answer floods in", () => {
  const { open } = chatPages();

  async function openFlooded() {
    const opened = await open({ answers: () => flood });
    await opened.chat.send("flood");
    await opened.chat.turns("Assistant").first().locator("h2").first().waitFor();
    return opened;
  }

  it("loses and reorders nothing, and keeps focus, caret and selection, when one types", async () => {
    const { chat, page } = await openFlooded();
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
    await grow(chat, 20_000);
    assert.deepEqual(await chat.composer.evaluate(caretOf), [text.length - 5, text.length]);
    await page.keyboard.type("more.");
    await chat.frame.locator("textarea:focus").waitFor();
    assert.equal(await chat.composer.inputValue(), `${text.slice(0, -5)}more.`);
    assert.equal(await chat.button("Stop").count(), 1, "it arrives");
  });

  it("keeps what is selected when more text comes behind it", async () => {
    const { chat } = await openFlooded();
    const answer = chat.turns("Assistant").first();
    await answer.locator("h2").first().selectText();
    const selected = await answer.evaluate(selectedText);
    assert.match(selected, /^1\. \w+/);
    await grow(chat, 50_000);
    assert.equal(await answer.evaluate(selectedText), selected);
    const list = answer.locator("li p").first();
    await list.selectText();
    const inList = await answer.evaluate(selectedText);
    await grow(chat, 20_000);
    assert.equal(await answer.evaluate(selectedText), inList);
  });

  it("keeps the focus on the turn when the arrow keys have reached it", async () => {
    const { chat, page } = await openFlooded();
    await chat.transcript.focus();
    await page.keyboard.press("ArrowUp");
    await chat.frame.locator("article.answer:focus").waitFor();
    await page.keyboard.press("ArrowUp");
    await chat.frame.locator("article:not(.answer):focus").waitFor();
    await grow(chat, 20_000);
    await chat.frame.locator("article:not(.answer):focus").waitFor();
    await chat.composer.focus();
    await page.keyboard.type("back");
    assert.equal(await chat.composer.inputValue(), "back");
  });

  it("ends when one presses Stop", async () => {
    const { chat } = await openFlooded();
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
  });
});
