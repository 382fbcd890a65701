import type { Locator } from "playwright-core";
import { inPage } from "../workbench/inPage.ts";

type Channels = readonly [number, number, number];

interface PaintedToken {
  readonly name: string;
  readonly text: Channels;
  readonly behind: Channels;
}

/** Paints the colors over each other, as the user sees them. */
const paintTokens = inPage<PaintedToken[]>(`(block) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const backgrounds = [];
  for (let element = block; element !== null; element = element.parentElement) {
    backgrounds.unshift(getComputedStyle(element).backgroundColor);
  }
  const root = getComputedStyle(document.documentElement);
  const behind = ["white", root.getPropertyValue("--vscode-sideBar-background"), ...backgrounds];
  return [...block.querySelectorAll("code, [class^=token-]")].map((token) => ({
    name: token.className || "code",
    text: paint([...behind, getComputedStyle(token).color]),
    behind: paint(behind),
  }));
}`);

const readStyle = inPage<string>("(element, name) => getComputedStyle(element)[name]");

/** Kinds of text in a code block whose contrast to the background is below `least` : 1. */
export async function lowContrasts(block: Locator, least: number): Promise<string[]> {
  const tokens = await block.evaluate(paintTokens);
  const low = tokens.flatMap(({ name, text, behind }) => {
    const contrast = contrastOf(text, behind);
    return contrast < least ? [`${name}: ${contrast.toFixed(2)}`] : [];
  });
  return [...new Set(low)];
}

/** A computed color of an element, as `rgb(...)`. */
export function colorOf(element: Locator, name: "stroke" | "backgroundColor"): Promise<string> {
  return element.evaluate(readStyle, name);
}

/** The contrast of two computed colors, each `rgb(...)`. */
export function contrastOfColors(one: string, other: string): number {
  return contrastOf(channelsOf(one), channelsOf(other));
}

function channelsOf(color: string): Channels {
  const channels = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color);
  if (channels === null) throw new Error(`${color} is not an opaque color`);
  const [, red, green, blue] = channels.map(Number);
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** The contrast ratio as WCAG 2 defines it. */
function contrastOf(one: Channels, other: Channels): number {
  const luminances = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

function luminanceOf(channels: Channels): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
