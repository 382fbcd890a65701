import type { FrameLocator, Locator, Page } from "playwright-core";

export const extensionId = "inference-chat.inference-chat";

/** Over what the pages in editor tabs are laid. */
const tabAnchors = ".part.editor [style*='anchor-name']";

/** Where in the window a page of the extension is shown. */
export type WebviewPlace = "view" | "editor";

/** The document of the only page of the extension that is to be seen. */
export function onlyWebview(page: Page): FrameLocator {
  return documentIn(visibleWebviews(page));
}

/**
 * Waits for the page of the extension that is to be seen at this place, and gives its document. Where it is
 * the only one, also that of a page that comes in its place later.
 */
export async function findWebview(page: Page, place: WebviewPlace): Promise<FrameLocator> {
  const { name, isAlone } = await findFrame(page, place);
  if (isAlone) return onlyWebview(page);
  return documentIn(page.locator(`iframe.webview[name="${name}"]`));
}

/** Resolves when another page of the extension stands at this place than before `leave`, which ends that one. */
export async function pageReplaced(page: Page, place: WebviewPlace, leave: () => void): Promise<void> {
  const { name } = await findFrame(page, place);
  leave();
  await page.waitForFunction(`(${frameFinder(place)})?.name !== ${JSON.stringify(name)}`);
  await findFrame(page, place);
}

interface FoundFrame {
  readonly name: string;
  /** The window shows no other page of the extension. */
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

/** For the window, at one moment. A page lies over the place it is anchored to, and not within it. */
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
    // Behind a host that has ended, the view's old page stands beside the new one for a moment.
    if (found.length === 0 || (found.length > 1 && "${place}" === "view")) return undefined;
    return { name: found[0].name, isAlone: shown.length === 1 && anchors.length === 0 };
  })()`;
}
