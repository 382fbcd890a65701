import type { Locator, Page } from "playwright-core";
import { textPattern } from "./textPattern.ts";

/** The tree of the workspace's files. */
export class Explorer {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    const tab = this.page.locator(".activitybar").getByRole("tab", { name: /^Explorer/ });
    if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
    await this.page.locator(".explorer-folders-view").waitFor();
  }

  /** The row of a file or folder that is scrolled into view. */
  row(name: string): Locator {
    const label = this.page.locator(".label-name").filter({ hasText: textPattern(name, "whole") });
    return this.page.locator(".explorer-folders-view").getByRole("treeitem").filter({ has: label });
  }

  /** Picks an entry of the menu that a right click on the row opens. */
  async pickFromMenu(name: string, entry: string): Promise<void> {
    await this.row(name).click({ button: "right" });
    await pickFromContextMenu(this.page, entry);
  }
}

/**
 * An entry of whichever context menu is open; of several the last one, since the editor's own chat has
 * entries of the same names further up.
 */
export function contextMenuEntry(page: Page, name: string): Locator {
  return page.locator(".monaco-menu").getByRole("menuitem", { name, exact: true }).last();
}

/** By hover and Enter: for a moment after it has opened, a menu takes no clicks. */
export async function pickFromContextMenu(page: Page, name: string): Promise<void> {
  await contextMenuEntry(page, name).hover();
  await page.keyboard.press("Enter");
}
