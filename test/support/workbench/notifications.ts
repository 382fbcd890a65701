import type { Locator, Page } from "playwright-core";
import type { CommandPalette } from "./commandPalette.ts";

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

  /** Waits for a notification, and returns its whole message. */
  async message(text: string | RegExp): Promise<string> {
    return (await this.toast(text).locator(".notification-list-item-message").innerText()).trim();
  }

  messages(): Promise<string[]> {
    return this.page.locator(".notification-toast .notification-list-item-message").allInnerTexts();
  }

  /** Waits for a notification, and returns the names of its buttons. */
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

  /** Presses a button in the list of notifications: the notification itself may have disappeared. */
  async pressInList(text: string | RegExp, button: string): Promise<void> {
    await this.palette.runTitle("Notifications: Show Notifications", "notifications.showList");
    await this.page
      .locator(".notifications-center.visible .notification-list-item")
      .filter({ hasText: text })
      .getByRole("button", { name: button, exact: true })
      .click();
  }

  async cancelProgress(text: string | RegExp): Promise<void> {
    await this.toast(text).getByRole("button", { name: "Cancel" }).click();
  }

  /** Clears all notifications, and waits until they have disappeared. */
  async clear(): Promise<void> {
    await this.palette.runTitle("Notifications: Clear All Notifications", "notifications.clearAll");
    await this.page.locator(".notification-toast").first().waitFor({ state: "hidden" });
  }

  /** Waits until no notification with this text is visible. */
  async waitUntilGone(text: string | RegExp): Promise<void> {
    await this.toast(text).first().waitFor({ state: "hidden" });
  }
}
