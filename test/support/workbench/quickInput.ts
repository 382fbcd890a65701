import type { Locator, Page } from "playwright-core";
import { textPattern } from "./textPattern.ts";

/** Milliseconds until a list must be stable, on any machine. */
const longestUnrest = 45_000;

/** The contents of a quick input; a text that it does not show is empty. */
export interface QuickInputState {
  readonly title: string;
  /** The prompt, or the validation message in its place. */
  readonly message: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isPassword: boolean;
  /** Whether the message is an error about the value. */
  readonly isInvalid: boolean;
}

/** The input box, quick pick and command palette at the top of the window. */
export class QuickInput {
  readonly root: Locator;
  readonly input: Locator;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    this.root = page.locator(".quick-input-widget:visible");
    this.input = this.root.locator(".quick-input-box input");
  }

  /** Waits for the input whose title, prompt or placeholder contains the text. */
  async waitFor(text: string | RegExp): Promise<QuickInputState> {
    const shown = this.root.filter({
      has: this.page
        .locator(".quick-input-title, .quick-input-message")
        .filter({ hasText: text })
        .or(this.page.getByPlaceholder(text)),
    });
    await shown.waitFor();
    return this.read();
  }

  async read(): Promise<QuickInputState> {
    const box = this.root.locator(".quick-input-box .monaco-inputbox");
    return {
      title: (await this.root.locator(".quick-input-title").textContent()) ?? "",
      message: (await this.root.locator(".quick-input-message").innerText()).trim(),
      placeholder: (await this.input.getAttribute("placeholder")) ?? "",
      value: await this.input.inputValue(),
      isPassword: (await this.input.getAttribute("type")) === "password",
      isInvalid: /\berror\b/.test((await box.getAttribute("class")) ?? ""),
    };
  }

  async fill(text: string): Promise<void> {
    await this.input.fill(text);
  }

  async accept(): Promise<void> {
    await this.input.press("Enter");
  }

  async cancel(): Promise<void> {
    await this.input.press("Escape");
    await this.root.waitFor({ state: "hidden" });
  }

  /** Waits for the input box with this text, types the answer and accepts it. */
  async answer(prompt: string | RegExp, value: string): Promise<void> {
    await this.waitFor(prompt);
    await this.fill(value);
    await this.accept();
  }

  /** Waits until the value is refused, and returns the message with the reason. */
  async validationMessage(): Promise<string> {
    await this.root.locator(".monaco-inputbox.error").waitFor();
    return (await this.read()).message;
  }

  /** The rows of a quick pick with this label; VS Code creates only rows that are scrolled into view. */
  row(label: string | RegExp): Locator {
    return this.root.locator(".quick-input-list .monaco-list-row").filter({
      has: this.page
        .locator(".label-name")
        .filter({ hasText: label instanceof RegExp ? label : textPattern(label, "whole") }),
    });
  }

  /** Waits for a row, and returns the labels of all rows that are scrolled into view. */
  async labels(): Promise<string[]> {
    const rows = this.root.locator(".quick-input-list .monaco-list-row");
    await rows.first().waitFor();
    return rows
      .filter({ visible: true })
      .locator(".quick-input-list-row .label-name")
      .filter({ visible: true })
      .allInnerTexts();
  }

  async pick(label: string | RegExp): Promise<void> {
    await this.row(label).first().click();
  }

  /** Picks the row with this label when the list has loaded: its rows move until then. */
  async pickOnceRead(label: string | RegExp): Promise<void> {
    await this.row(label).first().waitFor();
    await this.root.locator(".quick-input-progress.active").waitFor({ state: "detached" });
    await this.pick(label);
  }

  /** Presses a button of the row with this label when the list has loaded. */
  async pressButtonOf(label: string | RegExp, button: string): Promise<void> {
    await this.root.locator(".quick-input-progress.active").waitFor({ state: "detached" });
    const row = this.row(label).first();
    const shown = row.getByRole("button", { name: button });
    const patience = AbortSignal.timeout(longestUnrest);
    // Buttons are visible only under the mouse, and a redraw may have moved another row there.
    do {
      patience.throwIfAborted();
      await row.hover();
    } while (!(await shown.isVisible()));
    await shown.click();
  }
}
