import type { Page } from "playwright-core";

/**
 * Runs in the page: describes the focused element and the visible dialogs, notifications, inputs and menus, with the
 * start of each text. Used in reports from machines whose screenshots nobody sees.
 */
const windowState = `(() => {
  const told = (name, element) =>
    name + ": " + element.tagName.toLowerCase() + "." + element.className + " " +
    (element.ariaLabel ?? "") + " " + (element.innerText ?? "").replace(/\\s+/g, " ").slice(0, 200);
  const above = ".monaco-dialog-box, .notification-toast, .quick-input-widget, .context-view, .chat-confirmation-widget";
  const seen = [...document.querySelectorAll(above)].filter((element) => element.checkVisibility());
  return [told("focus", document.activeElement ?? document.body), ...seen.map((element) => told("shown", element))].join("\\n");
})()`;

/** Returns some lines for the report of a failure. */
export async function describeWindow(page: Page): Promise<string> {
  return page.evaluate<string>(windowState);
}
