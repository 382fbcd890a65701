import type { Locator, Page } from "playwright-core";

export class Dialog {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.locator(".monaco-dialog-box");
  }

  /** Waits for the dialog, and returns its message, detail and buttons. */
  async read(): Promise<{ message: string; detail: string; buttons: string[] }> {
    await this.root.waitFor();
    return {
      message: (await this.root.locator(".dialog-message-text, .dialog-message").first().innerText()).trim(),
      detail: (await this.root.locator(".dialog-message-detail").allInnerTexts()).join("\n").trim(),
      buttons: await this.root.locator(".dialog-buttons .monaco-button").allInnerTexts(),
    };
  }

  async press(button: string): Promise<void> {
    await this.root.getByRole("button", { name: button, exact: true }).click();
    await this.root.waitFor({ state: "hidden" });
  }
}
