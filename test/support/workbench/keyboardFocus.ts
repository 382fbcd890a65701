import type { FrameLocator } from "playwright-core";

/** The focused element in a page of the extension, and the visibility of its focus ring. */
export interface FocusedControl {
  /** Role and name, such as `button Send`. */
  readonly name: string;
  /** Contrast between the focus ring and its surroundings; 0 if there is no ring. */
  readonly ring: number;
}

/** Runs in the page. The ring of a text box is its border, or that of the frame around it. */
const readFocus = `(ground) => {
  const element = document.activeElement;
  if (element === null || element === document.body || !document.hasFocus()) return null;
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (colours) => {
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const brightness = (channels) => channels
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const style = getComputedStyle(element);
  const isTextBox = element.matches("textarea, input[type=text]");
  const frame = element.closest(".composer") !== null && isTextBox ? element.closest(".composer") : element;
  const hasOutline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
  const ring = hasOutline ? style.outlineColor : isTextBox ? getComputedStyle(frame).borderTopColor : undefined;
  const outside = parseFloat(style.outlineOffset) >= 0 && hasOutline ? element.parentElement : hasOutline ? element : frame.parentElement;
  const around = [];
  for (let each = outside; each !== null; each = each.parentElement) around.unshift(getComputedStyle(each).backgroundColor);
  const behind = ["white", getComputedStyle(document.documentElement).getPropertyValue(ground), ...around];
  const shades = ring === undefined ? [1, 1] : [brightness(paint([...behind, ring])), brightness(paint(behind))];
  const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const role = element.getAttribute("role") ?? { A: "link", ARTICLE: "article", BUTTON: "button", INPUT: "textbox", SUMMARY: "summary", TEXTAREA: "textbox", H1: "heading" }[element.tagName] ?? element.tagName;
  const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
  const contrast = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
  return { name: role + " " + name, ring: ring === undefined || !isSeen ? 0 : contrast };
}`;

/** Returns the focused element; undefined while the focus is elsewhere in the window. */
export async function focusedControl(
  frame: FrameLocator,
  ground: "--vscode-sideBar-background" | "--vscode-editor-background",
): Promise<FocusedControl | undefined> {
  const focused = await frame
    .locator("html")
    .evaluate<FocusedControl | null, unknown>(`(${readFocus})(${JSON.stringify(ground)})`);
  return focused ?? undefined;
}
