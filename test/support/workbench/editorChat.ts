import type { Locator, Page } from "playwright-core";
import type { CommandPalette } from "./commandPalette.ts";

/** The editor's own chat, in the bar beside the editor area. */
export class EditorChat {
  private readonly page: Page;
  private readonly palette: CommandPalette;
  private readonly root: Locator;

  constructor(page: Page, palette: CommandPalette) {
    this.page = page;
    this.palette = palette;
    this.root = page.locator(".part.auxiliarybar .interactive-session");
  }

  /** The button that names the model. */
  get model(): Locator {
    return this.root.locator(".model-picker-name");
  }

  /** Turns of the model, oldest first. */
  get answers(): Locator {
    return this.root.locator(".interactive-response");
  }

  /**
   * Resolves once what brings the chat its modes and tools has been activated; asked before, it wants a sign-in.
   * @param run the command that shows what is active; by default as a person does
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
    // Not by a key: what the editor's chat still loads takes the focus from it.
    await this.page
      .locator(".modal-editor-part")
      .getByRole("button", { name: /^Close/ })
      .click();
    await running.first().waitFor({ state: "hidden" });
  }

  /** Shows the chat in one of its modes. */
  async openIn(mode: "Ask" | "Agent"): Promise<void> {
    await this.palette.runTitle(
      `Chat: Open Chat (${mode})`,
      `workbench.action.chat.open${mode.toLowerCase()}`,
    );
    await this.isIn(mode);
  }

  /** Resolves once the chat is shown in a mode. */
  async isIn(mode: "Ask" | "Agent"): Promise<void> {
    await this.root.locator(".chat-mode-picker-item").getByRole("button", { name: mode }).waitFor();
  }

  /** Puts a message into the box, with the focus in it. */
  async type(message: string): Promise<void> {
    const box = this.root.locator(".interactive-input-part .monaco-editor").first();
    await box.click();
    await this.page.keyboard.type(message);
    await box.getByText(message).waitFor();
  }

  /** Resolves once the message stands among the chat's turns. */
  async send(message: string): Promise<void> {
    await this.type(message);
    await this.page.keyboard.press("Enter");
    await this.root.locator(".interactive-request").getByText(message).last().waitFor();
  }
}
