import type { Locator, Page } from "playwright-core";

/** The data of a drag or of the clipboard. */
export interface Transfer {
  /** Texts by media type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Contents in base64. */
  readonly files?: readonly { readonly name: string; readonly type: string; readonly data: string }[];
}

/**
 * Runs in the page. Creates the event in code: the clipboard of a test's browser can't have these names and types.
 * Inserts no text into a text box, because a paste by a script never does.
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

/** The target of a drop. */
export interface Place {
  readonly page: Page;
  readonly element: Locator;
}

/** Writes texts and images (base64) to the browser's clipboard, by media type. */
export async function fillClipboard(page: Page, contents: Readonly<Record<string, string>>): Promise<void> {
  await page.bringToFront();
  await page.evaluate(`(async (contents) => {
    const bytesOf = (data) => Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const blobs = Object.entries(contents).map(([type, data]) =>
      [type, new Blob([type.startsWith("text/") ? data : bytesOf(data)], { type })]);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  })(${JSON.stringify(contents)})`);
}

/** Drags with the mouse. VS Code allows drops on its webviews only while Shift is held. */
export async function dragIntoPage(source: Locator, { page, element }: Place): Promise<void> {
  const [from, to] = [await centreOf(source), await centreOf(element)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 10, { steps: 2 });
  await page.keyboard.down("Shift");
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.move(to.x + 2, to.y + 2);
  await page.mouse.up();
  await page.keyboard.up("Shift");
}

/** Drags files from outside the browser, like the operating system does. */
export async function dragFilesOfSystem(files: readonly string[], { page, element }: Place): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { x, y } = await centreOf(element);
  const shift = 8;
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x, y, data, modifiers: shift });
  }
  await session.detach();
}

async function centreOf(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("The source or the target of the drag is not visible.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
