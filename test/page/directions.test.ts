import assert from "node:assert/strict";
import { drawnText } from "../support/workbench/parts.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { everyoneAnswers } from "./everyoneAnswers.ts";

/** Runs in the page. Returns "left" or "right": the side of the answer that the first line of the text is closer to. */
const sideOfText = `(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const [line] = range.getClientRects();
  const { left, right } = element.closest(".markdown").getBoundingClientRect();
  return line.left - left < right - line.right ? "left" : "right";
}`;

describe("right-to-left text", () => {
  const { open } = chatPages();

  function openBothWays(): ReturnType<typeof open> {
    const text = everyoneAnswers["Both ways"] ?? assert.fail();
    const { transcript } = new WrittenChat().add("Both ways", complete, { text });
    return open({ transcript, viewport: { width: 320, height: 800 } });
  }

  it("is aligned to the side of its first letters, with code from left to right", async () => {
    const { chat } = await openBothWays();
    const answer = chat.turns("Assistant").first();
    await drawnText(answer);
    const side = (text: string): Promise<string> =>
      answer.getByText(text).first().evaluate(inPage<string>(sideOfText));
    assert.equal(await side("مرحبا بالعالم"), "right");
    assert.equal(await side("Hello world"), "left");
    assert.equal(await side("שלום עולם"), "right");
    assert.equal(await side("اقرأ الرسالة"), "right");
    assert.equal(await side("First read it"), "left");
    assert.equal(await side("اقتباس"), "right");
    const columns = await answer
      .locator("th")
      .evaluateAll(inPage<number[]>("(cells) => cells.map((cell) => cell.offsetLeft)"));
    assert.ok((columns[0] ?? 0) > (columns[1] ?? 0), "the first column stands at the right");
    const [number] = await answer
      .locator("td")
      .nth(1)
      .evaluateAll(inPage<string[]>("(cells) => cells.map((cell) => getComputedStyle(cell).textAlign)"));
    assert.equal(number, "right", "a number stands where its column does");
    const directions = await answer
      .locator("pre, p code")
      .evaluateAll(inPage<string[]>("(codes) => codes.map((code) => getComputedStyle(code).direction)"));
    assert.deepEqual([...new Set(directions)], ["ltr"]);
  });

  it("is typed from right to left in the composer", async () => {
    const { chat } = await open();
    await chat.composer.fill("مرحبا");
    const direction = "(box) => getComputedStyle(box).direction";
    assert.equal(await chat.composer.evaluate(inPage<string>(direction)), "rtl");
    await chat.composer.fill("Hello");
    assert.equal(await chat.composer.evaluate(inPage<string>(direction)), "ltr");
  });

  it("is not cut or covered when the whole page is right-to-left", async () => {
    const { chat, screenshot } = await openBothWays();
    await drawnText(chat.turns("Assistant").first());
    // VS Code has no right-to-left language yet. The page is ready for one.
    await chat.frame.locator("html").evaluate(inPage<void>("(root) => { root.dir = 'rtl'; }"));
    await screenshot("everyone right to left");
    assert.equal((await layoutProblems(chat.frame)).join("\n"), "");
  });
});
