import type { FrameLocator } from "playwright-core";
import type { ThemeKind, Workbench } from "./workbench.ts";

/**
 * The data that VS Code gives its pages for a theme: the colors as variables, and the attributes that name the
 * theme.
 */
export interface ThemeLook {
  readonly theme: ThemeKind;
  /** Style of the root element. */
  readonly style: string;
  /** Attributes of the body. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The background color behind a page, which is transparent. */
export type Ground = "--vscode-sideBar-background" | "--vscode-editor-background";

const read = `(root) => ({
  style: root.getAttribute("style") ?? "",
  attributes: Object.fromEntries(
    [...document.body.attributes].filter(({ name }) => name === "class" || name.startsWith("data-vscode-theme")).map(({ name, value }) => [name, value]),
  ),
})`;

/** Switches to each theme like a user, and records the data that the chat page receives. */
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
 * Gives a page the recorded data of a theme; VS Code gives all pages the same data. Uses the style object, like VS
 * Code, because the page's policy forbids the attribute. Also sets the background color.
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
  if (worn !== wanted) throw new Error(`The page has ${worn} instead of ${wanted} in ${theme}.`);
}
