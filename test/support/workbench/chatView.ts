import type { FrameLocator, Locator, Page } from "playwright-core";
import { viewContainerId } from "../../../src/contributions.ts";
import { textPattern } from "./textPattern.ts";
import { findWebview, onlyWebview, pageReplaced, type WebviewPlace } from "./webviewFrame.ts";

/** The chat page inside its two nested frames, found by accessible roles and names. */
export class ChatView {
  /** The document of the chat page. */
  frame: FrameLocator;
  private readonly page: Page;
  private readonly place: WebviewPlace;

  /** @param frame document of the page, if the page is not in an editor's window */
  constructor(page: Page, place: WebviewPlace = "view", frame = onlyWebview(page)) {
    this.page = page;
    this.place = place;
    this.frame = frame;
  }

  /** Finds the frame again by its place in the window; needed while the view and a tab both show chats. */
  async find(): Promise<void> {
    this.frame = await findWebview(this.page, this.place);
  }

  /** Calls `leave`, which ends this page, and finds the page that replaces it. */
  async findNext(leave: () => void): Promise<void> {
    await pageReplaced(this.page, this.place, leave);
    await this.find();
  }

  /** The extension's tab in the activity bar; appears once VS Code has found the extension. */
  get tab(): Locator {
    const icon = this.page.locator(`[class*="activity-workbench-view-extension-${viewContainerId}"]`);
    return this.page.locator(".activitybar").getByRole("tab").filter({ has: icon });
  }

  /** Shows the view with a click on its tab, unless it is shown, and waits for the composer. */
  async open(): Promise<void> {
    if ((await this.tab.getAttribute("aria-selected")) !== "true") await this.tab.click();
    await this.find();
    await this.composer.waitFor();
  }

  get composer(): Locator {
    return this.frame.getByRole("textbox", { name: "Message" });
  }

  /** Waits for text in the composer and returns it: an unsent message comes back a moment later. */
  async textGivenBack(): Promise<string> {
    await this.composer.and(this.frame.locator(":not(:placeholder-shown)")).waitFor();
    return this.composer.inputValue();
  }

  get transcript(): Locator {
    return this.frame.getByRole("log", { name: "Conversation" });
  }

  /** Turns of one speaker, oldest first. */
  turns(speaker: "You" | "Assistant"): Locator {
    return this.transcript.getByRole("article", { name: speaker });
  }

  /**
   * The notice of a failure. Also finds the notice of a failure that is older than the page; such a notice is not an
   * alert.
   */
  failure(cause: string): Locator {
    return this.transcript.locator(`.failure[data-cause="${cause}"]`);
  }

  /** The notice of a failure; its `data-cause` names the cause. */
  alert(cause?: string): Locator {
    const alerts = this.frame.getByRole("alert");
    return cause === undefined ? alerts : alerts.and(this.frame.locator(`[data-cause="${cause}"]`));
  }

  /** The countdown to the next retry. */
  get retryNotice(): Locator {
    return this.frame.getByRole("status", { name: "Waiting to retry" });
  }

  /** The notice that no data arrives. */
  get silenceNotice(): Locator {
    return this.frame.getByRole("status", { name: "Waiting for the service" });
  }

  attachment(name: string | RegExp): Locator {
    return this.attachments.getByRole(
      "listitem",
      typeof name === "string" ? { name, exact: true } : { name },
    );
  }

  /** The composer's attachments; the list exists only while it has an entry. */
  get attachments(): Locator {
    return this.frame.locator(".composer").getByRole("list", { name: "Attachments" });
  }

  async removeAttachment(name: string | RegExp): Promise<void> {
    const attachment = this.attachment(name);
    await attachment.getByRole("button", { name: /^Remove/ }).click();
    await attachment.waitFor({ state: "detached" });
  }

  /** An entry of the list that `#` opens in the composer. */
  offer(name: string | RegExp): Locator {
    return this.frame.getByRole("listbox", { name: "Attach Context" }).getByRole("option", { name });
  }

  /** A prompt in the list that `/` opens at the start of the composer. */
  prompt(name: string | RegExp): Locator {
    return this.frame.getByRole("listbox", { name: "Prompts" }).getByRole("option", { name });
  }

  /** The collapsed part of a turn that shows the content sent with the typed text. */
  sentAlong(turn: Locator): Locator {
    return turn.getByText(/^Sent: /);
  }

  /** Returns the full text of the meter of the context window. */
  async meterText(): Promise<string> {
    return (await this.frame.locator(".meter").getAttribute("title")) ?? "";
  }

  get usage(): Locator {
    return this.frame.getByRole("status", { name: "Usage" });
  }

  /** A button of the page by its whole name. If `name` ends with a colon, such as `Model:`, it is only the start. */
  button(name: string): Locator {
    const pattern = textPattern(name, name.endsWith(":") ? "start" : "whole");
    return this.frame.getByRole("button", { name: pattern });
  }

  async send(message: string): Promise<void> {
    await this.composer.fill(message);
    await this.button("Send").click();
  }
}
