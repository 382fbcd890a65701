import type { Page } from "playwright-core";
import { inPage } from "./inPage.ts";

const hold = inPage<() => void>(`() => {
  const { prototype } = WebSocket;
  const { send } = prototype;
  const held = [];
  prototype.send = function (data) { held.push(() => send.call(this, data)); };
  return () => {
    prototype.send = send;
    for (const each of held) each();
  };
}`);

/**
 * Has all that the window sends to its server, and so to the extensions there, wait until the result is called; what
 * the window is sent still comes. So it is where the window is busy, or the way to the server slow.
 */
export async function holdLine(page: Page): Promise<() => Promise<void>> {
  const letGo = await page.evaluateHandle(hold);
  return () => letGo.evaluate((call) => call());
}
