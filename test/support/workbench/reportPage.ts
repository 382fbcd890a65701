import type { FrameLocator, Locator, Page } from "playwright-core";

const extensionId = "inference-chat.inference-chat";

/** A page of results in the editor area, by the names of its rows and columns. */
export class ReportPage {
  readonly frame: FrameLocator;
  readonly tab: Locator;

  constructor(page: Page, title: string) {
    this.tab = page.locator(".editor-group-container").getByRole("tab", { name: title });
    this.frame = page
      .locator(`iframe.webview[src*="extensionId=${extensionId}"]`)
      .filter({ visible: true })
      // Where the chat is shown as well, the page that was opened last.
      .last()
      .contentFrame()
      .frameLocator("iframe#active-frame");
  }

  get main(): Locator {
    return this.frame.getByRole("main");
  }

  /** Waits for the result, whose text it gives. */
  async result(state: "good" | "bad" | "neutral" | "running"): Promise<string> {
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
