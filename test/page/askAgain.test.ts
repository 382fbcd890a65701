import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { focusedName } from "../support/page/focusWalk.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { inPage } from "../support/workbench/inPage.ts";

/** Whether a button is within its turn, at whose edge it would be cut. */
const isWithinTurn = inPage<boolean>(`(button) => {
  const { left, right } = button.getBoundingClientRect();
  const turn = button.closest("article").getBoundingClientRect();
  return left >= turn.left && right <= turn.right;
}`);

describe("Ask Again With", () => {
  const { open } = chatPages();
  const { transcript } = new WrittenChat().add("Hello", complete);

  it("asks the host for the other answer, and gets the focus back when nothing was chosen", async () => {
    const opened = await open({ transcript });
    const { chat, host, page } = opened;
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Ask Again With..." }).focus();
    const asked = host.next("retry-with");
    await page.keyboard.press("Enter");
    assert.equal((await asked).turnId, await answer.getAttribute("data-turn"));
    // The editor's list takes the focus.
    await page.getByRole("button", { name: "Before the page" }).focus();
    assert.equal(await focusedName(opened), undefined);
    host.post({ type: "focus-page" });
    await chat.frame.locator('button[aria-label="Ask Again With..."]:focus').waitFor();
  });

  it("is offered once, by the failure itself, when another model may answer", async () => {
    const { chat, host, service } = await open();
    service.failNext({
      status: 400,
      body: { error: { code: "context_length_exceeded", message: "Too many tokens" } },
    });
    await chat.send("Hello");
    const answer = chat.turns("Assistant").first();
    await chat.alert("context-length").waitFor();
    const button = answer.getByRole("button", { name: "Ask Again With..." });
    assert.equal(await button.count(), 1);
    const asked = host.next("retry-with");
    await button.click();
    assert.equal((await asked).turnId, await answer.getAttribute("data-turn"));
  });

  it("is seen whole beside the other buttons when there are several versions in the narrowest view", async () => {
    const { chat, screenshot } = await open({ transcript, viewport: { width: 160, height: 800 } });
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).click();
    await answer.getByText("2 / 2").waitFor();
    await chat.usage.first().waitFor();
    await screenshot("ask-again-narrow");
    const within: Record<string, boolean> = {};
    for (const name of ["Copy", "Ask Again With...", "Previous version", "Next version"])
      within[name] = await answer.getByRole("button", { name, exact: true }).evaluate(isWithinTurn);
    assert.deepEqual(Object.values(within), [true, true, true, true], JSON.stringify(within));
  });
});
