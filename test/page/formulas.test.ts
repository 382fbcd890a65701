import { chatPages } from "../support/page/chatPages.ts";
import { formulaAnswers } from "../support/page/formulaAnswers.ts";

describe("formulas of an answer", () => {
  const { open } = chatPages();
  it("look", async () => {
    const { chat, screenshot, watch } = await open({ answers: (m) => formulaAnswers[m], viewport: { width: 520, height: 1500 } });
    await chat.send("formulas");
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    await answer.locator("math").first().waitFor();
    await screenshot("formulas-dark");
    watch.assertNothingTried();
  });
});
