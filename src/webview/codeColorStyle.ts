import { type CodeColors, codeKinds } from "../chat/codeColors.ts";

/** Gives code the theme's colours: to all that is on the page, and to what comes. */
export function wearCodeColors(colors: CodeColors): void {
  const { style } = document.documentElement;
  for (const kind of codeKinds) {
    const color = colors[kind];
    if (color === undefined) style.removeProperty(`--theme-${kind}`);
    else style.setProperty(`--theme-${kind}`, color);
  }
}
