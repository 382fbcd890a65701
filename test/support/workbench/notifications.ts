import type { Locator, Page } from "playwright-core";

/** The notifications at the bottom of the window. */
export class Notifications {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
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

  /** Cancels the progress that a notification shows. */
  async cancelProgress(text: string | RegExp): Promise<void> {
    await this.toast(text).getByRole("button", { name: "Cancel" }).click();
  }

  /** Takes every notification away that is shown. */
  async clear(): Promise<void> {
    const toasts = this.page.locator(".notification-toast .notification-list-item");
    for (let left = await toasts.count(); left > 0; left -= 1) {
      await toasts.first().hover();
      await toasts
        .first()
        .getByRole("button", { name: /^Clear Notification/ })
        .click();
    }
  }

  /** Waits until no notification with the text is shown. */
  async waitUntilGone(text: string | RegExp): Promise<void> {
    await this.toast(text).first().waitFor({ state: "hidden" });
  }
}
