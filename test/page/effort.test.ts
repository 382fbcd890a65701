import assert from "node:assert/strict";
import { noQuirks } from "../service/quirks.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { themeNames } from "../support/page/themes.ts";

describe("the effort in the composer", () => {
  const { open } = chatPages();

  it("is missing if the model takes no effort, and appears beside the model if it does", async () => {
    const { chat, host } = await open();
    await chat.button("Model: service-core").waitFor();
    assert.equal(await chat.frame.getByRole("button", { name: /^Effort/ }).count(), 0);
    host.post({ type: "header", header: { ...host.header, effort: "High" } });
    await chat.button("Effort: High").waitFor();
    host.post({ type: "header", header: host.header });
    await chat.button("Effort: High").waitFor({ state: "detached" });
  });

  it("opens the host's list by keyboard, and keeps the draft", async () => {
    const { chat, host, page } = await open({ header: { effort: "Off" } });
    await chat.composer.fill("half a question");
    await chat.button("Effort: Off").waitFor();
    // From the text box: Attach Context, mode, model, effort.
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("Tab");
    const chosen = host.next("choose");
    await page.keyboard.press("Enter");
    assert.deepEqual(await chosen, { type: "choose", what: "effort" });
    host.post({ type: "header", header: { ...host.header, effort: "Low" } });
    host.post({ type: "focus-composer" });
    await chat.button("Effort: Low").waitFor();
    assert.equal(await chat.composer.inputValue(), "half a question");
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    assert.equal(await chat.composer.inputValue(), "half a question!");
  });

  for (const width of [320, 480]) {
    it(`fits beside a long model ID at ${width} pixels`, async () => {
      const { chat, screenshot } = await open({
        viewport: { width, height: 500 },
        model: "a-family-of-models/with-a-long-name-2026-11-29",
        header: { effort: "131,072 tokens", mode: "agent" },
      });
      await chat.composer.fill("Is everything readable?");
      await chat.button("Effort: 131,072 tokens").waitFor();
      assert.deepEqual(await rowProblems(chat.frame), []);
      await screenshot(`effort-${width}`);
    });
  }

  for (const theme of themeNames) {
    it(`says that the service refused the effort, with its answer (${theme})`, async () => {
      const { chat, service, screenshot } = await open({
        theme,
        effort: { level: "high" },
        header: { effort: "High" },
      });
      service.quirks = { ...noQuirks, refuse: ["reasoning_effort"] };
      await chat.send("Answer with the word otter.");
      const answer = chat.turns("Assistant").first();
      await answer.getByText("otter").waitFor();
      const notice = answer.getByText(
        "The service refused the reasoning effort (reasoning_effort) for service-core, so the effort is no longer sent. To try again, run Verify Compatibility.",
      );
      await notice.waitFor();
      assert.equal(await notice.count(), 1);
      await screenshot(`effort-refused-${theme}`);
    });
  }

  it("shows the reasoning of an answer with an effort", async () => {
    const { chat } = await open({ effort: { budgetTokens: 1024 }, clientStyle: "messages" });
    await chat.send("Answer with the word otter.");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("otter").waitFor();
    await answer.locator("summary").first().click();
    await answer.getByText("I can answer now.").waitFor();
    assert.equal(await answer.locator(".refused-field").count(), 0);
  });
});
