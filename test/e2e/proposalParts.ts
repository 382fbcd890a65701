import type { Locator } from "playwright-core";
import type { Editor } from "../support/endToEnd.ts";

/** What a test does with a file and with what is proposed for it. */
export function proposalParts({ workbench }: Editor) {
  const { page, quickInput, statusBar } = workbench;
  const group = page.locator(".editor-group-container.active");

  /** Puts the caret into a line of a file, counted from 1. */
  async function goTo(name: string, line: number): Promise<void> {
    await page.keyboard.press("Control+P");
    await quickInput.fill(`${name}:${line}`);
    // What was opened last stands first until the list is filtered.
    await quickInput.root.locator('.monaco-list-row[data-index="0"]').filter({ hasText: name }).waitFor();
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: new RegExp(`^Ln ${line}, Col 1\\b`) }).waitFor();
    await group.locator(".monaco-editor.focused").first().waitFor();
  }

  /** The text of the active file, whether it is saved or not: taken by copying all of it. */
  async function text(): Promise<string> {
    await group.locator(".monaco-editor.focused").first().waitFor();
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Control+C");
    for (;;) {
      const copied = String(await page.evaluate("navigator.clipboard.readText()"));
      if (copied !== "") return copied;
      await page.evaluate("new Promise(requestAnimationFrame)");
    }
  }

  async function undo(): Promise<void> {
    await group.locator(".monaco-editor.focused").first().waitFor();
    await page.keyboard.press("Control+Z");
  }

  /** A button above the diff; its name may end with the keys that do the same. */
  function titleButton(name: string): Locator {
    const pattern = new RegExp(`^${name.replaceAll(".", "\\.")}( \\(.*\\))?$`);
    return group.locator(".title").getByRole("button", { name: pattern });
  }

  return {
    modified: page.locator(".monaco-diff-editor .editor.modified .view-lines"),
    goTo,
    text,
    undo,
    titleButton,
    press: (button: string): Promise<void> => titleButton(button).click(),
    /** What the status bar says of the diff that is shown. */
    waitForDecisions: (words: string | RegExp): Promise<void> => statusBar.waitFor(words),
    closed: (): Promise<void> => page.locator(".monaco-diff-editor").waitFor({ state: "detached" }),
  };
}
