import assert from "node:assert/strict";
import { readingAnswers } from "../support/page/readingAnswers.ts";
import { chatPages } from "../support/page/chatPages.ts";

describe("file names in an answer", () => {
  const { open } = chatPages();

  it("open the workspace's files at their line, and other names are not links", async () => {
    const { chat, host, screenshot } = await open({
      answers: (message) => readingAnswers[message],
      files: ["summary.ts", "./readings.csv"],
    });
    await chat.send("links");
    const answer = chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    for (const name of ["summary.ts:3", "./readings.csv:2"])
      await answer.getByRole("link", { name }).waitFor();
    await screenshot("reading-links");
    const names = await answer.getByRole("link").allInnerTexts();
    assert.deepEqual(names, ["the summary", "summary.ts:3", "./readings.csv:2"]);
    for (const [name, opened] of [
      ["the summary", "summary.ts#L10"],
      ["./readings.csv:2", "./readings.csv:2"],
    ] as const) {
      const asked = host.next("open-file");
      await answer.getByRole("link", { name }).click();
      assert.equal((await asked).name, opened);
    }
    assert.deepEqual(host.all("open-link"), []);
  });
});
