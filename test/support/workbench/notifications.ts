import type { Locator, Page } from "playwright-core";
import type { CommandPalette } from "./commandPalette.ts";

/** The notifications at the bottom of the window. */
export class Notifications {
  private readonly page: Page;
  private readonly palette: CommandPalette;

  constructor(page: Page, palette: CommandPalette) {
    this.page = page;
    this.palette = palette;
  }

  /** The notification whose message contains the text. */
  toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast .notification-list-item").filter({
      has: this.page.locator(".notification-list-item-message").filter({ hasText: text }),
    });
  }

  /** Waits for a notification and gives its whole message. */
  async message(text: string | RegExp): Promise<string> {
    return (await this.toast(text).locator(".notification-list-item-message").innerText()).trim();
  }

  /** Messages of what is shown now. */
  messages(): Promise<string[]> {
    return this.page.locator(".notification-toast .notification-list-item-message").allInnerTexts();
  }

  /** Names of the buttons of a notification. */
  async buttons(text: string | RegExp): Promise<string[]> {
    await this.toast(text).waitFor();
    return this.toast(text)
      .locator(".notification-list-item-buttons-container .monaco-button")
      .allInnerTexts();
  }

  async press(text: string | RegExp, button: string): Promise<void> {
    await this.toast(text)
      .locator(".notification-list-item-buttons-container")
      .getByRole("button", { name: button, exact: true })
      .click();
  }

  /** Presses a button of one that may have gone from sight by itself, in the list that keeps it. */
  async pressInList(text: string | RegExp, button: string): Promise<void> {
    await this.palette.runTitle("Notifications: Show Notifications", "notifications.showList");
    await this.page
      .locator(".notifications-center.visible .notification-list-item")
      .filter({ hasText: text })
      .getByRole("button", { name: button, exact: true })
      .click();
  }

  /** Cancels the progress that a notification shows. */
  async cancelProgress(text: string | RegExp): Promise<void> {
    await this.toast(text).getByRole("button", { name: "Cancel" }).click();
  }

  /** Takes every notification away, also one that goes by itself meanwhile. */
  async clear(): Promise<void> {
    await this.palette.runTitle("Notifications: Clear All Notifications", "notifications.clearAll");
    await this.page.locator(".notification-toast").first().waitFor({ state: "hidden" });
  }

  /** Waits until no notification with the text is shown. */
  async waitUntilGone(text: string | RegExp): Promise<void> {
    await this.toast(text).first().waitFor({ state: "hidden" });
  }
}
