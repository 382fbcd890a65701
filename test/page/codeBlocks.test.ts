import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { copyCode, drawnText } from "../support/workbench/parts.ts";
import { readingAnswers } from "../support/page/readingAnswers.ts";
import { type ChatPageOptions, chatPages, type OpenChatPage } from "../support/page/chatPages.ts";
import { lowContrasts } from "../support/page/contrast.ts";
import { readTheme, themeNames } from "../support/page/themes.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";

describe("code blocks of an answer", () => {
  const { open } = chatPages();

  async function ask(
    question: string,
    options: ChatPageOptions = {},
  ): Promise<OpenChatPage & { readonly answer: Locator }> {
    const opened = await open({ ...options, answers: (message) => readingAnswers[message] });
    await opened.chat.send(question);
    const answer = opened.chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    return { ...opened, answer };
  }

  it("are colored, and copy their exact text", async () => {
    const { answer, host, screenshot } = await ask("code");
    for (const kind of ["comment", "function", "keyword", "number", "string", "type"])
      await answer.locator(`pre .token-${kind}`).first().waitFor();
    await screenshot("reading-code");
    const copied = host.next("copy");
    await copyCode(answer);
    const text = /```ts\n([^]*?)\n```/.exec(readingAnswers["code"] ?? "")?.[1];
    assert.equal((await copied).text, text);
  });

  it("mark and count invisible characters, but copy them unchanged", async () => {
    const { answer, host, screenshot } = await ask("invisible");
    await answer.getByText("This code contains 3 invisible characters").waitFor();
    for (const mark of ["U+202E", "U+2066", "U+200B"]) {
      await answer
        .getByRole("img", { name: `Invisible character ${mark}` })
        .first()
        .waitFor();
    }
    await answer.locator("p code").getByRole("img", { name: "Invisible character U+200D" }).waitFor();
    await screenshot("reading-invisible");
    const copied = host.next("copy");
    await copyCode(answer);
    assert.equal((await copied).text, 'if (level !== "user\u202E \u2066// admin") {\u200B\n}');
  });

  it("are one Tab stop, with arrow keys between their buttons", async () => {
    const { answer, page } = await ask("shell");
    await drawnText(answer);
    const toolbar = answer.getByRole("toolbar").first();
    const names = await toolbar.getByRole("button").evaluateAll((all) => all.map((each) => each.ariaLabel));
    assert.deepEqual(names, [
      "Copy Code",
      "Insert at Cursor",
      "Apply in Editor",
      "Save as New File",
      "Run in Terminal",
    ]);
    assert.equal(await toolbar.locator("[tabindex='0']").count(), 1);
    await toolbar.getByRole("button", { name: "Copy Code" }).focus();
    await page.keyboard.press("ArrowRight");
    await toolbar.locator("[data-code-action=insert]:focus").waitFor();
    await page.keyboard.press("End");
    await toolbar.locator("[data-code-action=run]:focus").waitFor();
    assert.equal(await toolbar.locator("[tabindex='0']").count(), 1);
  });

  it("send the code and its info string to the host when a button is pressed", async () => {
    const { answer, host } = await ask("apply");
    const asked = host.next("code-action");
    await answer.getByRole("button", { name: "Apply in Editor" }).click();
    const { action, block } = await asked;
    const text = /```ts title=changed\.ts\n([^]*?)\n```/.exec(readingAnswers["apply"] ?? "")?.[1];
    assert.deepEqual([action, block.info, block.text.trimEnd()], ["apply", "ts title=changed.ts", text]);
  });

  it("are sent to the host together if they belong to several files", async () => {
    const { answer, host } = await ask("several files");
    const asked = host.next("apply-answer");
    await answer.getByRole("button", { name: "Apply to Files" }).click();
    assert.equal((await asked).turnId, host.chat.session.transcript.turns.at(-1)?.id);
  });

  for (const theme of themeNames) {
    it(`are readable in the ${theme} theme, in the theme's colors and the page's own`, async () => {
      const { codeColors } = await readTheme(theme);
      const { answer, chat, host, screenshot } = await ask("code", { theme });
      await answer.locator(".token-keyword").first().waitFor();
      const block = answer.locator("pre").first();
      assert.deepEqual(await lowContrasts(block, 4.5), []);
      host.post({ type: "code-colors", colors: codeColors });
      await chat.frame.locator("html[style*='--theme-keyword']").waitFor();
      assert.deepEqual(await lowContrasts(block, 4.5), []);
      await screenshot(`reading-code-${theme}`);
    });
  }

  it("stay within a page 320 px wide", async () => {
    const { answer, chat, screenshot } = await ask("code", { viewport: { width: 320, height: 700 } });
    await drawnText(answer);
    assert.deepEqual(await layoutProblems(chat.frame), []);
    await answer.getByRole("button", { name: "Copy Code" }).first().scrollIntoViewIfNeeded();
    await screenshot("reading-narrow");
  });
});
