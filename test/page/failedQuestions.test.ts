import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import type { ChatView } from "../support/workbench/chatView.ts";
import { heard, listen } from "../support/workbench/spoken.ts";

/** The meter's estimate for the next question. */
async function estimatedTokens(chat: ChatView): Promise<number> {
  return Number(/uses about ([\d,]+) /.exec(await chat.meterText())?.[1]?.replaceAll(",", ""));
}

describe("a question whose answer failed", () => {
  const { open } = chatPages();

  it("is left out of later questions, says so, and can be included by keyboard", async () => {
    const { transcript } = new WrittenChat().add("The first", complete);
    const { chat, page, service, screenshot } = await open({ transcript });
    service.failNext({ status: 400, body: { error: { message: "Not now." } } });
    await chat.send("far too long ".repeat(2000));
    const question = chat.turns("You").nth(1);
    await question
      .getByText("The answer failed, so this question will not be sent with your next questions.")
      .waitFor();
    await screenshot("question left out");
    assert.ok((await estimatedTokens(chat)) < 1000, await chat.meterText());
    await listen(chat);
    await question.focus();
    await page.keyboard.press("Tab");
    const pressed = chat.frame.locator("button:focus");
    await pressed.and(chat.button("Include Question")).waitFor();
    const noteId = (await pressed.getAttribute("aria-describedby")) ?? "";
    assert.match((await chat.frame.locator(`[id="${noteId}"]`).textContent()) ?? "", /will not be sent/);
    await page.keyboard.press("Enter");
    await pressed.and(chat.button("Leave Out Question")).waitFor();
    await question
      .getByText("The answer failed, but this question will still be sent with your next questions.")
      .waitFor();
    await heard(chat, /this question will still be sent/);
    await screenshot("question included");
    assert.ok((await estimatedTokens(chat)) > 5000, await chat.meterText());
    await question.getByRole("button", { name: "Leave Out Question" }).click();
    await chat.button("Include Question").waitFor();
    assert.ok((await estimatedTokens(chat)) < 1000, await chat.meterText());
  });

  it("offers a higher token limit instead of Continue if there is only reasoning", async () => {
    const { transcript } = new WrittenChat().add(
      "A riddle",
      { kind: "complete", reason: "length" },
      { text: "", reasoning: "First I think of one thing.", usage: { inputTokens: 12, outputTokens: 4096 } },
    );
    const { chat, host, screenshot } = await open({ transcript });
    await chat.transcript
      .getByText(/reached its limit of 4,096 tokens while the model was still reasoning/)
      .waitFor();
    assert.equal(await chat.button("Continue").count(), 0);
    await screenshot("cut while reasoning");
    const asked = host.next("open-limit");
    await chat.button("Change Token Limit").click();
    await asked;
  });
});
