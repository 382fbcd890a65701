import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { focusedName } from "../support/page/focusWalk.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { inPage } from "../support/workbench/inPage.ts";

/** Whether the button is inside its turn, whose edge clips it. */
const isWithinTurn = inPage<boolean>(`(button) => {
  const { left, right } = button.getBoundingClientRect();
  const turn = button.closest("article").getBoundingClientRect();
  return left >= turn.left && right <= turn.right;
}`);

describe("Ask Again With", () => {
  const { open } = chatPages();
  const { transcript } = new WrittenChat().add("Hello", complete);

  it("asks the host for another answer, and gets the focus back if nothing was selected", async () => {
    const opened = await open({ transcript });
    const { chat, host, page } = opened;
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Ask Again With..." }).focus();
    const asked = host.next("retry-with");
    await page.keyboard.press("Enter");
    assert.equal((await asked).turnId, await answer.getAttribute("data-turn"));
    // In VS Code, the list of models takes the focus.
    await page.getByRole("button", { name: "Before the page" }).focus();
    assert.equal(await focusedName(opened), undefined);
    host.post({ type: "focus-page" });
    await chat.frame.locator('button[aria-label="Ask Again With..."]:focus').waitFor();
  });

  it("is offered only once, by the failure, when another model may help", async () => {
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

  for (const [what, connection, facts] of [
    ["names no connection as long as all answers have the same", "Acme", "service-core · Messages"],
    [
      "leaves answers that name their connections if these differ",
      "Client B",
      "Client B · service-core · Messages",
    ],
  ] as const)
    it(what, async () => {
      const differing = new WrittenChat().add("Hello", complete).add("And now?", complete, { connection });
      const viewport = { width: 320, height: 800 };
      const { chat, screenshot } = await open({ transcript: differing.transcript, viewport });
      const lines = chat.frame.locator(".answer-model");
      await lines.nth(1).waitFor();
      assert.equal((await lines.allTextContents())[1], facts);
      await screenshot(`answers of ${connection}`);
    });

  it("is fully visible beside the other buttons in the narrowest view with several versions", async () => {
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
