import assert from "node:assert/strict";
import { readingAnswers } from "../e2e/readingAnswers.ts";
import { chatPages } from "../support/page/chatPages.ts";

describe("code blocks of an answer", () => {
  const { open } = chatPages();

  it("colours code, and copies its exact text", async () => {
    const { chat, host, screenshot } = await open({ answers: (message) => readingAnswers[message] });
    await chat.send("code");
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    for (const kind of ["comment", "function", "keyword", "number", "string", "type"])
      await answer.locator(`pre .token-${kind}`).first().waitFor();
    await screenshot("page-code");
    const copied = host.next("copy");
    await answer.getByRole("button", { name: "Copy Code" }).first().click();
    const text = /```ts\n([^]*?)\n```/.exec(readingAnswers["code"] ?? "")?.[1];
    assert.equal((await copied).text, text);
  });
});
