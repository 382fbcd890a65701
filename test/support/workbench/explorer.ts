import type { Locator, Page } from "playwright-core";
import type { CommandPalette } from "./commandPalette.ts";
import { textPattern } from "./textPattern.ts";

/** The tree of the workspace's files. */
export class Explorer {
  private readonly page: Page;
  private readonly palette: CommandPalette;

  constructor(page: Page, palette: CommandPalette) {
    this.page = page;
    this.palette = palette;
  }

  /** Shows the tree, and waits until its rows stay where they are: a click would come upon another one. */
  async open(): Promise<void> {
    await this.show();
    await this.page.locator(".explorer-folders-view").waitFor();
    await this.page.evaluate(rowsStay);
  }

  /** By its command: a click on its tab would close it where a window that has just come is opening it. */
  async show(): Promise<void> {
    await this.palette.runTitle("View: Show Explorer", "workbench.view.explorer");
  }

  /** Whether the editor has folders open, once it has had its time to find them. */
  async hasFolders(): Promise<boolean> {
    return this.page
      .locator(".explorer-folders-view")
      .waitFor({ timeout: 5000 })
      .then(
        () => true,
        () => false,
      );
  }

  /** The row of a file or folder that is scrolled into view. */
  row(name: string): Locator {
    const label = this.page.locator(".label-name").filter({ hasText: textPattern(name, "whole") });
    return this.page.locator(".explorer-folders-view").getByRole("treeitem").filter({ has: label });
  }

  /** Selects two files, of which the first is opened. */
  async select(first: string, second: string): Promise<void> {
    await this.row(first).click();
    // Once it is open it is selected again, and it alone.
    await this.page.locator(".tab.active").getByText(first).waitFor();
    await this.row(second).click({ modifiers: ["Control"] });
    for (const name of [first, second])
      await this.row(name).and(this.page.locator("[aria-selected=true]")).waitFor();
  }

  /** Picks an entry of the menu that a right click on the row opens. */
  async pickFromMenu(name: string, entry: string): Promise<void> {
    await this.row(name).click({ button: "right" });
    await pickFromContextMenu(this.page, entry);
  }
}

/** Runs in the page: resolves when the tree has had rows, and the same ones, for the time of some dozen frames. */
const rowsStay = `(async () => {
  const rows = () => document.querySelector(".explorer-folders-view")?.innerText ?? "";
  for (let same = 0, before = ""; same < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = rows();
    same = now !== "" && now === before ? same + 1 : 0;
    before = now;
  }
})()`;

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
