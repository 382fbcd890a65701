import type { Locator, Page } from "playwright-core";
import type { CommandPalette } from "./commandPalette.ts";

/** VS Code's own chat, in the secondary side bar. */
export class EditorChat {
  private readonly page: Page;
  private readonly palette: CommandPalette;
  private readonly root: Locator;

  constructor(page: Page, palette: CommandPalette) {
    this.page = page;
    this.palette = palette;
    this.root = page.locator(".part.auxiliarybar .interactive-session");
  }

  /** The button with the name of the model. */
  get model(): Locator {
    return this.root.locator(".model-picker-name");
  }

  /** The model's answers, oldest first. */
  get answers(): Locator {
    return this.root.locator(".interactive-response");
  }

  /**
   * Resolves when the extension that provides the chat's modes and tools is active; earlier, the chat wants a
   * sign-in.
   * @param run runs the command that lists the active extensions; uses the palette by default
   */
  async ready(
    run = (command: string): Promise<void> =>
      this.palette.runTitle("Developer: Show Running Extensions", command),
  ): Promise<void> {
    await run("workbench.action.showRuntimeExtensions");
    const running = this.page.locator(".runtime-extensions-editor .extension");
    await running
      .filter({ hasText: "GitHub Copilot" })
      .getByText(/Activation: \d+ms/)
      .waitFor();
    // Uses the mouse: VS Code's chat takes the focus from the editor while loading.
    await this.page
      .locator(".modal-editor-part")
      .getByRole("button", { name: /^Close/ })
      .click();
    await running.first().waitFor({ state: "hidden" });
  }

  async openIn(mode: "Ask" | "Agent"): Promise<void> {
    await this.palette.runTitle(
      `Chat: Open Chat (${mode})`,
      `workbench.action.chat.open${mode.toLowerCase()}`,
    );
    await this.isIn(mode);
  }

  /** Resolves when the chat is in this mode. */
  async isIn(mode: "Ask" | "Agent"): Promise<void> {
    await this.root.locator(".chat-mode-picker-item").getByRole("button", { name: mode }).waitFor();
  }

  /** Types a message into the input, which then has the focus. */
  async type(message: string): Promise<void> {
    const box = this.root.locator(".interactive-input-part .monaco-editor").first();
    await box.click();
    await this.page.keyboard.type(message);
    await box.getByText(message).waitFor();
  }

  /** Sends a message; resolves when the chat shows it. */
  async send(message: string): Promise<void> {
    await this.type(message);
    await this.page.keyboard.press("Enter");
    await this.root.locator(".interactive-request").getByText(message).last().waitFor();
  }
}
