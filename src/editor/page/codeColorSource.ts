import * as vscode from "vscode";
import * as v from "valibot";
import {
  type CodeColors,
  type ColorRule,
  pickCodeColors,
  readColorTheme,
  readCustomizations,
  withClearContrast,
} from "../../chat/page/codeColors.ts";

/** Maximum depth of themes that include each other. Deeper includes are probably a cycle. */
const maxIncludes = 8;
const maxThemeBytes = 2_000_000;

const textSchema = v.optional(v.string());
const themeSchema = v.object({ id: textSchema, label: textSchema, uiTheme: textSchema, path: v.string() });
const manifestSchema = v.object({ contributes: v.object({ themes: v.array(themeSchema) }) });

/** Reports the colors that VS Code's theme gives to code: now, and again when they change. */
export function followCodeColors(tell: (colors: CodeColors) => void): vscode.Disposable {
  let newest = 0;
  const read = async (): Promise<void> => {
    newest += 1;
    const reading = newest;
    const colors = await readColors();
    if (reading === newest) tell(colors);
  };
  void read();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveColorTheme(() => void read()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const concerns = ["workbench", "window", "editor.tokenColorCustomizations"];
      if (concerns.some((section) => change.affectsConfiguration(section))) void read();
    }),
    { dispose: () => (newest += 1) },
  );
}

/** Returns no colors if the theme can't be read. The page then uses its own colors. */
async function readColors(): Promise<CodeColors> {
  const { kind } = vscode.window.activeColorTheme;
  const theme = findTheme(kind);
  if (theme === undefined) return {};
  const custom = vscode.workspace.getConfiguration("editor").get<unknown>("tokenColorCustomizations");
  const ofTheme = await readRules(theme.file, maxIncludes).catch(() => []);
  const rules = [...ofTheme, ...readCustomizations(custom, theme.name)];
  const colors = pickCodeColors(rules);
  if (kind === vscode.ColorThemeKind.HighContrast) return withClearContrast(colors, "black");
  return kind === vscode.ColorThemeKind.HighContrastLight ? withClearContrast(colors, "white") : colors;
}

/** Finds the theme that the settings name, if its kind is the active one. */
function findTheme(
  kind: vscode.ColorThemeKind,
): { readonly name: string; readonly file: vscode.Uri } | undefined {
  const [uiTheme, preferred] = namesOfKinds[kind];
  const followsSystem = vscode.workspace.getConfiguration("window").get<unknown>("autoDetectColorScheme");
  const settings = ["colorTheme", preferred];
  for (const setting of followsSystem === true ? settings.toReversed() : settings) {
    const name = vscode.workspace.getConfiguration("workbench").get<unknown>(setting);
    for (const { extensionUri, packageJSON } of vscode.extensions.all) {
      const read = v.safeParse(manifestSchema, packageJSON);
      const themes = read.success ? read.output.contributes.themes : [];
      const theme = themes.find((each) => (each.id ?? each.label) === name && each.uiTheme === uiTheme);
      if (theme !== undefined && typeof name === "string") {
        return { name, file: vscode.Uri.joinPath(extensionUri, theme.path) };
      }
    }
  }
  return undefined;
}

/** For each kind, its name in extensions, and the setting for its theme if VS Code follows the system. */
const namesOfKinds: Readonly<Record<vscode.ColorThemeKind, readonly [string, string]>> = {
  [vscode.ColorThemeKind.Light]: ["vs", "preferredLightColorTheme"],
  [vscode.ColorThemeKind.Dark]: ["vs-dark", "preferredDarkColorTheme"],
  [vscode.ColorThemeKind.HighContrast]: ["hc-black", "preferredHighContrastColorTheme"],
  [vscode.ColorThemeKind.HighContrastLight]: ["hc-light", "preferredHighContrastLightColorTheme"],
};

/** The rules of a theme, after the rules of the themes that it includes. */
async function readRules(file: vscode.Uri, includes: number): Promise<readonly ColorRule[]> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > maxThemeBytes) return [];
  const theme = readColorTheme(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  if (theme?.include === undefined || includes === 0) return theme?.rules ?? [];
  const included = vscode.Uri.joinPath(file, "..", theme.include);
  return [...(await readRules(included, includes - 1)), ...theme.rules];
}
