import type { ChatView } from "./chatView.ts";
import { inPage } from "./inPage.ts";

/** Starts to record the texts of the page's polite live region. */
export async function listen(chat: ChatView): Promise<void> {
  await chat.frame.locator("html").evaluate(
    inPage<void>(`() => {
      const region = document.querySelector("[aria-live=polite]");
      globalThis.spoken = [];
      globalThis.region?.disconnect();
      globalThis.region = new MutationObserver(() => spoken.push(region.textContent));
      globalThis.region.observe(region, { childList: true, subtree: true, characterData: true });
    }`),
  );
}

/** Returns all texts recorded since `listen`. */
export function spokenBy(chat: ChatView): Promise<string[]> {
  return chat.frame.locator("html").evaluate(inPage<string[]>("() => globalThis.spoken"));
}

/** Waits for a text that matches, and returns all recorded texts. */
export async function heard(chat: ChatView, last: RegExp): Promise<string[]> {
  for (;;) {
    const spoken = await spokenBy(chat);
    if (spoken.some((text) => last.test(text))) return spoken;
    await chat.frame
      .locator("html")
      .evaluate(inPage<unknown>("() => new Promise((go) => setTimeout(go, 50))"));
  }
}
