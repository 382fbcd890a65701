import type { Locator, Page } from "playwright-core";

const extensionId = "inference-chat.inference-chat";

export class StatusBar {
  readonly items: Locator;

  constructor(page: Page) {
    this.items = page.locator(`.part.statusbar .statusbar-item[id^="${extensionId}"]`);
  }

  /** Waits for the item with this text. */
  async waitFor(text: string | RegExp): Promise<void> {
    await this.items.filter({ hasText: text }).first().waitFor();
  }

  async texts(): Promise<string[]> {
    return (await this.items.allInnerTexts()).map((text) => text.trim());
  }

  /** Waits until an item is shown as an error, as a warning or as neither. */
  async waitForKind(kind: "error" | "warning" | "standard"): Promise<void> {
    const marked = { error: ".error-kind", warning: ".warning-kind" };
    const selector = kind === "standard" ? `:not(${marked.error}):not(${marked.warning})` : marked[kind];
    await this.items.and(this.items.page().locator(selector)).first().waitFor();
  }

  async press(): Promise<void> {
    await this.items.first().locator("a").click();
  }
}
