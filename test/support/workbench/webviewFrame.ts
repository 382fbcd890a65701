import type { FrameLocator, Locator, Page } from "playwright-core";

export const extensionId = "inference-chat.inference-chat";

/** Elements that the pages in editor tabs are positioned over. */
const tabAnchors = ".part.editor [style*='anchor-name']";

/** The place in the window where a page of the extension is shown. */
export type WebviewPlace = "view" | "editor";

/** Returns the document of the only visible page of the extension. */
export function onlyWebview(page: Page): FrameLocator {
  return documentIn(visibleWebviews(page));
}

/**
 * Waits for the visible page of the extension at this place, and returns its document. If it is the only page, the
 * result also finds a page that replaces it later.
 */
export async function findWebview(page: Page, place: WebviewPlace): Promise<FrameLocator> {
  const { name, isAlone } = await findFrame(page, place);
  if (isAlone) return onlyWebview(page);
  return documentIn(page.locator(`iframe.webview[name="${name}"]`));
}

/**
 * Calls `leave`, which ends the page at this place. Resolves when another page of the extension has replaced it.
 */
export async function pageReplaced(page: Page, place: WebviewPlace, leave: () => void): Promise<void> {
  const { name } = await findFrame(page, place);
  leave();
  await page.waitForFunction(`(${frameFinder(place)})?.name !== ${JSON.stringify(name)}`);
  await findFrame(page, place);
}

interface FoundFrame {
  readonly name: string;
  /** Whether the window shows no other page of the extension. */
  readonly isAlone: boolean;
}

async function findFrame(page: Page, place: WebviewPlace): Promise<FoundFrame> {
  const found = await page.waitForFunction<FoundFrame>(frameFinder(place));
  return found.jsonValue();
}

function visibleWebviews(page: Page): Locator {
  return page.locator(`iframe.webview[src*="extensionId=${extensionId}"]`).filter({ visible: true });
}

function documentIn(webview: Locator): FrameLocator {
  return webview.contentFrame().frameLocator("iframe#active-frame");
}

/** Returns an expression for the window that finds the frame. A page lies above its anchor, not inside it. */
function frameFinder(place: WebviewPlace): string {
  return `(() => {
    const anchorOf = (element, property) => element?.style.getPropertyValue(property);
    const anchors = [...document.querySelectorAll("${tabAnchors}")]
      .map((element) => anchorOf(element, "anchor-name"));
    const frames = document.querySelectorAll("iframe.webview[src*='extensionId=${extensionId}']");
    const placeOf = (frame) =>
      anchors.includes(anchorOf(frame.closest("[style*='position-anchor']"), "position-anchor"))
        ? "editor" : "view";
    const shown = [...frames].filter((frame) => frame.checkVisibility({ visibilityProperty: true }));
    const found = shown.filter((frame) => placeOf(frame) === "${place}");
    // After a host has ended, the view's old page exists beside the new one for a moment.
    if (found.length === 0 || (found.length > 1 && "${place}" === "view")) return undefined;
    return { name: found[0].name, isAlone: shown.length === 1 && anchors.length === 0 };
  })()`;
}
