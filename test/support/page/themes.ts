import { readFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { type CodeColors, codeKinds } from "../../../src/chat/page/codeColors.ts";
import { fixtureFolder, projectRoot } from "../paths.ts";
import { findFiles } from "../findFiles.ts";

export const themeNames = ["light", "dark", "high-contrast-light", "high-contrast-dark"] as const;
export type ThemeName = (typeof themeNames)[number];

/** The parts of a theme that VS Code gives to a page: variables of the root, attributes of the body, colors of code. */
export interface Theme {
  readonly variables: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly codeColors: CodeColors;
}

const textsSchema = v.record(v.string(), v.string());
const themesSchema = v.record(
  v.string(),
  v.object({
    variables: textsSchema,
    attributes: textsSchema,
    codeColors: v.record(v.picklist(codeKinds), v.string()),
  }),
);

/** Recorded from VS Code by `npm run record:themes`. */
export const themesFile = path.join(fixtureFolder, "themes.json");

export async function readThemes(): Promise<Readonly<Partial<Record<ThemeName, Theme>>>> {
  return v.parse(themesSchema, JSON.parse(await readFile(themesFile, "utf8")));
}

export async function readTheme(name: ThemeName): Promise<Theme> {
  const theme = (await readThemes())[name];
  if (theme === undefined) throw new Error(`${themesFile} has no theme ${name}.`);
  return theme;
}

/** VS Code's variables that the pages use, sorted. */
export async function usedVariables(): Promise<readonly string[]> {
  const files = await findFiles("src/webview/**/*.{css,ts,tsx}");
  const texts = await Promise.all(files.map((file) => readFile(path.join(projectRoot, file), "utf8")));
  const used = texts.flatMap((text) => text.match(/--vscode-[a-zA-Z-]+/g) ?? []);
  return [...new Set([...used, "--vscode-sideBar-background"])].toSorted();
}

/**
 * A script that applies a theme to a page before it is drawn, or later, like VS Code does.
 * @param motion whether the page may animate; a recorded theme forbids it
 */
export function themeScript({ variables, attributes }: Theme, motion = false): string {
  const declarations = Object.entries(variables).map(([name, value]) => `${name}: ${value};`);
  const style = `:root { ${declarations.join(" ")} background: var(--vscode-sideBar-background); }`;
  return `{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(style)});
    document.adoptedStyleSheets = [sheet];
    const attributes = ${JSON.stringify(Object.entries(attributes))};
    const dress = () => {
      attributes.forEach(([name, value]) => document.body.setAttribute(name, value));
      document.body.classList.toggle("vscode-reduce-motion", ${!motion});
    };
    if (document.body !== null) dress();
    else new MutationObserver((_, observer) => {
      if (document.body === null) return;
      observer.disconnect();
      dress();
    }).observe(document, { childList: true, subtree: true });
  }`;
}
