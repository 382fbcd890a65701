import type { Locator } from "playwright-core";

/** What a drag or the clipboard carries. */
export interface Transfer {
  /** By media type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Contents as base64. */
  readonly files?: readonly { readonly name: string; readonly type: string; readonly data: string }[];
}

/**
 * Runs in the page. No script can fill the system's drag or clipboard, so the event is made by hand; it
 * alone, since a script's paste puts no text into a box.
 */
const dispatch = `(event, { texts = {}, files = [] }) => {
  const carried = new DataTransfer();
  for (const [type, text] of Object.entries(texts)) carried.setData(type, text);
  for (const { name, type, data } of files) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    carried.items.add(new File([bytes], name, { type }));
  }
  const options = { bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(
    event === "drop"
      ? new DragEvent("drop", { ...options, dataTransfer: carried })
      : new ClipboardEvent("paste", { ...options, clipboardData: carried }),
  );
}`;

export function dropOn(element: Locator, transfer: Transfer): Promise<void> {
  return send("drop", element, transfer);
}

export function pasteInto(element: Locator, transfer: Transfer): Promise<void> {
  return send("paste", element, transfer);
}

async function send(event: "drop" | "paste", element: Locator, transfer: Transfer): Promise<void> {
  await element.focus();
  await element.evaluate(`(${dispatch})(${JSON.stringify(event)}, ${JSON.stringify(transfer)})`);
}
