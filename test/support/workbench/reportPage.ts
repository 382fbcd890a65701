import type { FrameLocator, Locator, Page } from "playwright-core";
import { findWebview, onlyWebview } from "./webviewFrame.ts";

/** A page of results in the editor area, by the names of its rows and columns. */
export class ReportPage {
  /** Its document, once a result was waited for. */
  frame: FrameLocator;
  readonly tab: Locator;
  private readonly page: Page;

  constructor(page: Page, title: string) {
    this.page = page;
    this.tab = page.locator(".editor-group-container").getByRole("tab", { name: title });
    this.frame = onlyWebview(page);
  }

  /** Waits for the page to be in front and for the result, whose text it gives. */
  async result(state: "good" | "bad" | "neutral" | "running"): Promise<string> {
    await this.tab.and(this.page.locator('[aria-selected="true"]')).waitFor();
    this.frame = await findWebview(this.page, "editor");
    const status = this.frame.getByRole("status").and(this.frame.locator(`[data-state="${state}"]`));
    return (await status.innerText()).trim();
  }

  row(name: string): Locator {
    return this.frame.locator(`tr[data-row="${name}"]`);
  }

  /** Text of a cell. */
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
