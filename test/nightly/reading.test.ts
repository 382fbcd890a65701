import assert from "node:assert/strict";
import { watch } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { inPage } from "../support/workbench/inPage.ts";
import { readingAnswers } from "../support/page/readingAnswers.ts";
import { askInNewChat, partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

/** Words that all have different colors: a control keyword, another keyword, a function, a type and a string. */
const colouredWords = [/^\s*import\s*$/, /^\s*const\s*$/, /^average$/, /^Reading$/, /^"readings\.csv"$/];

const colourOf = inPage<string>("(element) => getComputedStyle(element).color");

describe("using the code of an answer, in a real editor", () => {
  const { editor } = withConnectedEditor({
    service: { answers: (message) => readingAnswers[message] },
  });

  const ask = (message: string): Promise<Locator> => askInNewChat(editor, message);

  it("runs a command only when asked, and first shows it exactly", async () => {
    const { dialog, page, notifications, screenshot } = partsOf(editor);
    const answer = await ask("shell");
    await answer.getByRole("button", { name: "Run in Terminal" }).first().click();
    const { message, detail } = await dialog.read();
    assert.match(message, /Run this command/);
    assert.match(detail, /^echo seen-\$\(\(40 \+ 2\)\)\[U\+200B\]/);
    assert.match(detail, /invisible characters/);
    await screenshot("reading-run");
    assert.equal(await page.locator(".terminal-wrapper").count(), 0, "nothing runs before the word");
    await dialog.press("Cancel");
    assert.equal(await page.locator(".terminal-wrapper").count(), 0);
    const written = waitForFile(editor.workspace, "ran.txt");
    await answer.getByRole("button", { name: "Run in Terminal" }).nth(1).click();
    await dialog.press("Run");
    await written;
    await screenshot("reading-terminal");
    await answer.getByRole("button", { name: "Run in Terminal" }).nth(2).click();
    await notifications.message("control characters");
    await partsOf(editor).palette.runTitle("View: Hide Panel", "workbench.action.closePanel");
  });

  it("shows code in VS Code's own colors, even after the theme changes", async () => {
    const { page, workbench, palette, quickInput } = partsOf(editor);
    await workbench.setTheme("light");
    await palette.runTitle("Go to File...", "workbench.action.quickOpen");
    await quickInput.fill("summary.ts");
    await quickInput.pick("summary.ts");
    await page.getByRole("tab", { name: "summary.ts", selected: true }).waitFor();
    const answer = await ask("same code");
    const seen: string[] = [];
    for (const theme of ["light", "dark"] as const) {
      await workbench.setTheme(theme);
      for (const word of colouredWords) {
        const inEditor = page
          .locator(".monaco-editor .view-line span > span")
          .filter({ hasText: word })
          .first();
        const inChat = answer.locator("pre span[class^=token-]").filter({ hasText: word }).first();
        const colours = (): Promise<string[]> =>
          Promise.all([inEditor, inChat].map((each) => each.evaluate(colourOf)));
        let [one, other] = await colours();
        // The editor and the chat change to a new theme at different times.
        while (one !== other || seen.includes(other ?? "")) {
          await page.evaluate("new Promise(requestAnimationFrame)");
          [one, other] = await colours();
        }
        seen.push(other ?? "");
      }
      await workbench.screenshot(`reading-same-colours-${theme}`);
    }
    assert.equal(new Set(seen).size, colouredWords.length * 2);
  });
});

/** Resolves when the folder contains the file. */
async function waitForFile(folder: string, name: string): Promise<void> {
  for await (const event of watch(folder, { signal: AbortSignal.timeout(60_000) })) {
    if (event.filename === name) return;
  }
}
