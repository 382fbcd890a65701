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
  const found = await page.waitForFunction<string>(nameOfFrame(place));
  const name = await found.jsonValue();
  const isAlone =
    (await visibleWebviews(page).count()) === 1 && (await page.locator(tabAnchors).count()) === 0;
  if (isAlone) return onlyWebview(page);
  return documentIn(page.locator(`iframe.webview[name="${name}"]`));
}

function visibleWebviews(page: Page): Locator {
  return page.locator(`iframe.webview[src*="extensionId=${extensionId}"]`).filter({ visible: true });
}

function documentIn(webview: Locator): FrameLocator {
  return webview.contentFrame().frameLocator("iframe#active-frame");
}

/** For the window. A page lies over the place it is anchored to, and not within it. */
function nameOfFrame(place: WebviewPlace): string {
  return `(() => {
    const anchorOf = (element, property) => element?.style.getPropertyValue(property);
    const anchors = [...document.querySelectorAll("${tabAnchors}")]
      .map((element) => anchorOf(element, "anchor-name"));
    const frames = document.querySelectorAll("iframe.webview[src*='extensionId=${extensionId}']");
    const placeOf = (frame) =>
      anchors.includes(anchorOf(frame.closest("[style*='position-anchor']"), "position-anchor"))
        ? "editor" : "view";
    return [...frames].find((frame) =>
      placeOf(frame) === "${place}" && frame.checkVisibility({ visibilityProperty: true }))?.name;
  })()`;
}
