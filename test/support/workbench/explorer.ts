import type { Locator, Page } from "playwright-core";
import type { CommandPalette } from "./commandPalette.ts";
import { textPattern } from "./textPattern.ts";

export class Explorer {
  private readonly page: Page;
  private readonly palette: CommandPalette;

  constructor(page: Page, palette: CommandPalette) {
    this.page = page;
    this.palette = palette;
  }

  /** Shows the tree, and waits until its rows no longer move. Otherwise, a click could hit another row. */
  async open(): Promise<void> {
    await this.show();
    await this.page.locator(".explorer-folders-view").waitFor();
    await this.page.evaluate(rowsStay);
  }

  /** Uses the command: a click on the tab would close the view if a new window is just opening it. */
  async show(): Promise<void> {
    await this.palette.runTitle("View: Show Explorer", "workbench.view.explorer");
  }

  /** Whether the editor has folders open; waits up to 5 s for them. */
  async hasFolders(): Promise<boolean> {
    return this.page
      .locator(".explorer-folders-view")
      .waitFor({ timeout: 5000 })
      .then(
        () => true,
        () => false,
      );
  }

  /** The row of a file or folder, if it is scrolled into view. */
  row(name: string): Locator {
    const label = this.page.locator(".label-name").filter({ hasText: textPattern(name, "whole") });
    return this.page.locator(".explorer-folders-view").getByRole("treeitem").filter({ has: label });
  }

  /** Selects two files, and opens the first. */
  async select(first: string, second: string): Promise<void> {
    await this.row(first).click();
    // When the file has opened, VS Code selects it again, and only it.
    await this.page.locator(".tab.active").getByText(first).waitFor();
    await this.row(second).click({ modifiers: ["Control"] });
    for (const name of [first, second])
      await this.row(name).and(this.page.locator("[aria-selected=true]")).waitFor();
  }

  /** Picks an entry of the context menu of a row. */
  async pickFromMenu(name: string, entry: string): Promise<void> {
    await this.row(name).click({ button: "right" });
    await pickFromContextMenu(this.page, entry);
  }
}

/** Runs in the page: resolves when the rows of the tree have not changed for half a second. */
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
 * Returns an entry of the open context menu. If several entries have the name, returns the last: VS Code's own chat
 * has entries of the same names further up.
 */
export function contextMenuEntry(page: Page, name: string): Locator {
  return page.locator(".monaco-menu").getByRole("menuitem", { name, exact: true }).last();
}

/** Uses hover and Enter: a menu ignores clicks for a moment after it has opened. */
export async function pickFromContextMenu(page: Page, name: string): Promise<void> {
  await contextMenuEntry(page, name).hover();
  await page.keyboard.press("Enter");
}
