import type { Locator, Page } from "playwright-core";

const extensionId = "inference-chat.inference-chat";

/** The extension's items in the status bar. */
export class StatusBar {
  readonly items: Locator;

  constructor(page: Page) {
    this.items = page.locator(`.part.statusbar .statusbar-item[id^="${extensionId}"]`);
  }

  /** Waits for the item that shows the text. */
  async waitFor(text: string | RegExp): Promise<void> {
    await this.items.filter({ hasText: text }).first().waitFor();
  }

  /** Texts of the extension's items, as they stand. */
  async texts(): Promise<string[]> {
    return (await this.items.allInnerTexts()).map((text) => text.trim());
  }

  /** Waits until an item is in the state that the editor paints as an error, a warning or neither. */
  async waitForKind(kind: "error" | "warning" | "standard"): Promise<void> {
    const marked = { error: ".error-kind", warning: ".warning-kind" };
    const selector = kind === "standard" ? `:not(${marked.error}):not(${marked.warning})` : marked[kind];
    await this.items.and(this.items.page().locator(selector)).first().waitFor();
  }

  async press(): Promise<void> {
    await this.items.first().locator("a").click();
  }
}
