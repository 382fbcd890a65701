import type { FrameLocator, Locator, Page } from "playwright-core";
import { viewContainerId } from "../../../src/contributions.ts";
import { textPattern } from "./textPattern.ts";

const extensionId = "inference-chat.inference-chat";

/** The chat page inside its two nested frames, by the roles and names of the public interface. */
export class ChatView {
  /** The document of the chat page. */
  frame: FrameLocator;
  private readonly page: Page;
  private readonly place: "view" | "editor";

  constructor(page: Page, place: "view" | "editor" = "view") {
    this.page = page;
    this.place = place;
    this.frame = pageIn(page.locator(`iframe.webview[src*="extensionId=${extensionId}"]`));
  }

  /** Finds the frame again by its place in the window: needed while the view and a tab show chats. */
  async find(): Promise<void> {
    const found = await this.page.waitForFunction<string>(findFrame(this.place));
    this.frame = pageIn(this.page.locator(`iframe.webview[name="${await found.jsonValue()}"]`));
  }

  /** The extension's tab in the activity bar: there as soon as the editor knows the extension. */
  get tab(): Locator {
    const icon = this.page.locator(`[class*="activity-workbench-view-extension-${viewContainerId}"]`);
    return this.page.locator(".activitybar").getByRole("tab").filter({ has: icon });
  }

  /** Shows the view by its tab, unless it is shown, and waits for the composer. */
  async open(): Promise<void> {
    if ((await this.tab.getAttribute("aria-selected")) !== "true") await this.tab.click();
    await this.find();
    await this.composer.waitFor();
  }

  get composer(): Locator {
    return this.frame.getByRole("textbox", { name: "Message" });
  }

  get transcript(): Locator {
    return this.frame.getByRole("log", { name: "Conversation" });
  }

  /** Turns of one speaker, oldest first. */
  turns(speaker: "You" | "Assistant"): Locator {
    return this.transcript.getByRole("article", { name: speaker });
  }

  /** The notice of a failure; its `data-cause` names the cause. */
  alert(cause?: string): Locator {
    const alerts = this.frame.getByRole("alert");
    return cause === undefined ? alerts : alerts.and(this.frame.locator(`[data-cause="${cause}"]`));
  }

  /** The countdown to another try. */
  get retryNotice(): Locator {
    return this.frame.getByRole("status", { name: "Waiting to try again" });
  }

  /** The notice that nothing arrives. */
  get silenceNotice(): Locator {
    return this.frame.getByRole("status", { name: "Nothing arrives" });
  }

  get usage(): Locator {
    return this.frame.getByRole("status", { name: "Usage" });
  }

  /** A button of the page by its whole name, or by the start of it: `Model:`. */
  button(name: string): Locator {
    const pattern = textPattern(name, name.endsWith(":") ? "start" : "whole");
    return this.frame.getByRole("button", { name: pattern });
  }

  /** Types a message and sends it by its button. */
  async send(message: string): Promise<void> {
    await this.composer.fill(message);
    await this.button("Send").click();
  }
}

function pageIn(webview: Locator): FrameLocator {
  return webview.contentFrame().frameLocator("iframe#active-frame");
}

/** For the window: the frame's name. A webview lies over the place it is anchored to, and not within it. */
function findFrame(place: "view" | "editor"): string {
  return `(() => {
    const anchorOf = (element, property) => element?.style.getPropertyValue(property);
    const anchors = [...document.querySelectorAll(".part.editor [style*='anchor-name']")]
      .map((element) => anchorOf(element, "anchor-name"));
    const frames = document.querySelectorAll("iframe.webview[src*='extensionId=${extensionId}']");
    const placeOf = (frame) =>
      anchors.includes(anchorOf(frame.closest("[style*='position-anchor']"), "position-anchor"))
        ? "editor" : "view";
    return [...frames].find((frame) => placeOf(frame) === "${place}")?.name;
  })()`;
}
