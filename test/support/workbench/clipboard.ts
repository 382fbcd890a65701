import type { Page } from "playwright-core";

/** Timeout in milliseconds. The clipboard reports no changes, so this polls. */
const longestWait = 60_000;

/**
 * Waits for a text with this start in the clipboard: VS Code fills the clipboard only after it has reported the copy.
 */
export async function readClipboard(page: Page, start: string): Promise<string> {
  return page.evaluate<string>(`(async () => {
    const end = performance.now() + ${longestWait};
    for (;;) {
      const text = await navigator.clipboard.readText();
      if (text !== "" && text.startsWith(${JSON.stringify(start)})) return text;
      if (performance.now() > end) throw new Error("The clipboard holds " + JSON.stringify(text.slice(0, 200)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })()`);
}
