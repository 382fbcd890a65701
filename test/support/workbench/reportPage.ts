import type { FrameLocator, Locator, Page } from "playwright-core";
import { findWebview, onlyWebview } from "./webviewFrame.ts";

/** A page of results in the editor area; its cells are found by the names of rows and columns. */
export class ReportPage {
  /** The page's document; found again by `result`. */
  frame: FrameLocator;
  readonly tab: Locator;
  private readonly page: Page;

  constructor(page: Page, title: string) {
    this.page = page;
    this.tab = page.locator(".editor-group-container").getByRole("tab", { name: title });
    this.frame = onlyWebview(page);
  }

  /** Waits until the page is in front and its result has this state. Returns the text of the result. */
  async result(state: "good" | "bad" | "neutral" | "running"): Promise<string> {
    await this.tab.and(this.page.locator('[aria-selected="true"]')).waitFor();
    this.frame = await findWebview(this.page, "editor");
    const status = this.frame.getByRole("status").and(this.frame.locator(`[data-state="${state}"]`));
    return (await status.innerText()).trim();
  }

  row(name: string): Locator {
    return this.frame.locator(`tr[data-row="${name}"]`);
  }

  async cell(row: string, column: string): Promise<string> {
    return (await this.row(row).locator(`[data-column="${column}"]`).innerText()).trim();
  }

  alert(cause: string): Locator {
    return this.frame.getByRole("alert").and(this.frame.locator(`[data-cause="${cause}"]`));
  }

  button(name: string): Locator {
    return this.frame.getByRole("button", { name, exact: true });
  }
}
