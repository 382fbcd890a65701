import type { Page } from "playwright-core";

/** Milliseconds. The clipboard tells of no change, so it is asked again and again for so long. */
const longestWait = 60_000;

/** Waits for a text with this start in the clipboard, which the editor fills after it has said so. */
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
