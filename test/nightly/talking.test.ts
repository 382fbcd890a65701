import assert from "node:assert/strict";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

describe("chatting, in a real editor", () => {
  const { service, editor } = withConnectedEditor();

  it("starts at once when the chat is opened by command or tab, and continues in a tab beside it", async () => {
    const { workbench, chat, palette, page, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await palette.run("inference.openChat");
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.type("typed at once");
    assert.equal(await chat.composer.inputValue(), "typed at once");
    await page.keyboard.press("Control+Shift+E");
    await page.locator("iframe.webview").first().waitFor({ state: "detached" });
    await chat.tab.click();
    await chat.find();
    await chat.frame.locator("textarea:focus").waitFor();
    await page.keyboard.type(", and more");
    assert.match(await chat.composer.inputValue(), /typed at once/);
    assert.match(await chat.composer.inputValue(), /, and more/);
    await chat.send("one /long 4000 /pace 300");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await workbench.openChatInTab();
    await chatEditor.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await chat.find();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chatEditor.composer.fill("a draft of the first chat");
    await chat.send("two /long 1200 /pace 300");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    assert.equal(await chatEditor.button("Stop").count(), 1, "the first goes on");
    await screenshot("chats-side-by-side");
    await chat.button("Stop").click();
    await chat.turns("Assistant").first().getByText("Stopped.").waitFor();
    service.hurry();
    await chatEditor.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chatEditor.composer.inputValue(), "a draft of the first chat");
    await page
      .getByRole("tab", { name: /one \/long 4000/ })
      .first()
      .waitFor();
    await chatEditor.composer.fill("");
    await palette.runTitle("View: Close All Editors", "workbench.action.closeAllEditors");
  });

  it("asks again with another model and client style by keyboard alone, and keeps both answers", async () => {
    const { workbench, chat, page, quickInput, screenshot } = partsOf(editor);
    await chat.find();
    await workbench.beginChat();
    service.journal.clear();
    await chat.send("Hello");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("service-core · Chat Completions").waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    await chat.composer.press("Shift+Tab");
    await page.keyboard.press("ArrowUp");
    const focused = () => chat.frame.locator(":focus").getAttribute("aria-label");
    const names = [await focused()];
    while (names.at(-1) !== "Ask Again With..." && names.at(-1) !== "Message") {
      await page.keyboard.press("Tab");
      names.push(await focused());
    }
    assert.equal(names.at(-1), "Ask Again With...", names.join());
    await page.keyboard.press("Enter");
    await quickInput.waitFor("Ask Again With a Model of 'Acme'");
    await quickInput.cancel();
    await chat.frame.locator('button[aria-label="Ask Again With..."]:focus').waitFor();
    await page.keyboard.press("Enter");
    await quickInput.waitFor("Ask Again With a Model of 'Acme'");
    await quickInput.row("service-large").first().waitFor();
    await screenshot("ask-again-menu");
    await quickInput.fill("service-large");
    assert.deepEqual(await quickInput.labels(), ["service-large", "service-large"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await answer.getByText("service-large · Messages").waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
    await answer.getByText("2 / 2").waitFor();
    await screenshot("ask-again-answer");
    await answer.getByRole("button", { name: "Previous version" }).click();
    await answer.getByText("service-core · Chat Completions").waitFor();
    await chat.button("Model: service-core").waitFor();
    assert.deepEqual(
      service.journal.answers.map(({ path, model }) => `${path} ${model}`),
      ["/v1/chat/completions service-core", "/v1/messages service-large"],
    );
  });
});
