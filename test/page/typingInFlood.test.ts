import assert from "node:assert/strict";
import { createSampleAnswer } from "../bench/sampleAnswer.ts";
import { chatPages } from "../support/page/chatPages.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { inPage } from "../support/workbench/inPage.ts";

/** Far more text than streams in while the test types. */
const flood = createSampleAnswer(12_000_000);
const typed = "The quick brown fox, typed while much arrives: 0123456789. ";

const caretOf = inPage<readonly [number, number]>("(field) => [field.selectionStart, field.selectionEnd]");
const selectedText = inPage<string>("() => getSelection().toString()");
const lengthOf = inPage<number>("(element) => element.textContent.length");

/** Waits until this many more UTF-16 units are drawn. */
async function grow(chat: ChatView, characters: number): Promise<void> {
  const answer = chat.turns("Assistant").first().locator(".markdown").last();
  const before = await answer.evaluate(lengthOf);
  while ((await answer.evaluate(lengthOf)) < before + characters) {
    await answer.page().evaluate("new Promise(requestAnimationFrame)");
  }
}

describe("typing while a long answer streams in", () => {
  const { open } = chatPages();

  async function openFlooded() {
    const opened = await open({ answers: () => flood });
    await opened.chat.send("flood");
    await opened.chat.turns("Assistant").first().locator("h2").first().waitFor();
    return opened;
  }

  it("keeps every typed character, its order, the focus, the caret and the selection", async () => {
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

  it("keeps the selection when more text follows it", async () => {
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

  it("keeps the focus on a turn that the arrow keys have reached", async () => {
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

  it("does not keep Stop from ending the answer", async () => {
    const { chat } = await openFlooded();
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
  });
});
