import type { FrameLocator } from "playwright-core";
import type { ThemeKind, Workbench } from "./workbench.ts";

/** What the editor gives its pages with a theme: the colours as variables, and what names the theme. */
export interface ThemeLook {
  readonly theme: ThemeKind;
  /** Of the root element. */
  readonly style: string;
  /** Of the body. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What of a theme is seen behind a page, which is transparent. */
export type Ground = "--vscode-sideBar-background" | "--vscode-editor-background";

const read = `(root) => ({
  style: root.getAttribute("style") ?? "",
  attributes: Object.fromEntries(
    [...document.body.attributes].filter(({ name }) => name === "class" || name.startsWith("data-vscode-theme")).map(({ name, value }) => [name, value]),
  ),
})`;

/** Switches to each theme as a person does, and notes down what the chat's page is given with it. */
export async function readThemeLooks(
  workbench: Workbench,
  themes: readonly ThemeKind[],
): Promise<readonly ThemeLook[]> {
  const looks: ThemeLook[] = [];
  for (const theme of themes) {
    await workbench.setTheme(theme);
    await workbench.chat.open();
    const kind = theme.startsWith("high-contrast") ? "vscode-high-contrast" : `vscode-${theme}`;
    await workbench.chat.frame.locator(`body.${kind}`).waitFor();
    const root = workbench.chat.frame.locator("html");
    looks.push({
      theme,
      ...(await root.evaluate<Omit<ThemeLook, "theme">, unknown>(`(${read})(document.documentElement)`)),
    });
  }
  return looks;
}

/**
 * Gives a page what the editor gives it with the theme, as it is; all pages get the same. Like the editor by the
 * style's object: a page's policy ignores the attribute. The ground is laid under it.
 */
export async function wear(
  frame: FrameLocator,
  { theme, style, attributes }: ThemeLook,
  ground: Ground,
): Promise<void> {
  const worn = await frame.locator("html").evaluate<string, unknown>(`{
    const { style } = document.documentElement;
    style.cssText = ${JSON.stringify(style)};
    style.backgroundColor = "var(${ground})";
    for (const [name, value] of Object.entries(${JSON.stringify(attributes)})) document.body.setAttribute(name, value);
    getComputedStyle(document.documentElement).getPropertyValue("${ground}");
  }`);
  const wanted = new RegExp(`${ground}: ([^;]+);`).exec(style)?.[1];
  if (worn !== wanted) throw new Error(`The page has ${worn} where ${theme} has ${wanted}.`);
}
