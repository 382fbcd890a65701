import type { Locator } from "playwright-core";
import type { Editor } from "./endToEnd.ts";

/** Actions of a test on a file and on the changes proposed for it. */
export function proposalParts({ workbench }: Editor) {
  const { page, quickInput, statusBar } = workbench;
  const group = page.locator(".editor-group-container.active");

  /** Moves the caret to a line of a file, counted from 1. */
  async function goTo(name: string, line: number): Promise<void> {
    await page.keyboard.press("Control+P");
    await quickInput.fill(`${name}:${line}`);
    // The most recently opened file comes first until the list is filtered.
    await quickInput.root.locator('.monaco-list-row[data-index="0"]').filter({ hasText: name }).waitFor();
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: new RegExp(`^Ln ${line}, Col 1\\b`) }).waitFor();
    await group.locator(".monaco-editor.focused").first().waitFor();
  }

  /** The text of the active file, saved or not. Copies the whole text to the clipboard to read it. */
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

  /** A button above the diff. Its name may end with a key binding. */
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
    /** Waits for this text about the open diff in the status bar. */
    waitForDecisions: (words: string | RegExp): Promise<void> => statusBar.waitFor(words),
    closed: (): Promise<void> => page.locator(".monaco-diff-editor").waitFor({ state: "detached" }),
  };
}
