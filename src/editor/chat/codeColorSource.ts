import * as vscode from "vscode";
import * as v from "valibot";
import { type CodeColors, type ColorRule, pickCodeColors, withClearContrast } from "../../chat/codeColors.ts";
import { readColorTheme, readCustomizations } from "../../chat/colorTheme.ts";

/** Themes are built on each other; more would be a circle. */
const mostIncludes = 8;
const largestTheme = 2_000_000;

const textSchema = v.optional(v.string());
const themeSchema = v.object({ id: textSchema, label: textSchema, uiTheme: textSchema, path: v.string() });
const manifestSchema = v.object({ contributes: v.object({ themes: v.array(themeSchema) }) });

interface Theme {
  readonly name: string;
  readonly file: vscode.Uri;
}

/** Tells a page the colours that the editor's theme gives to code, and again when they change. */
export class CodeColorSource implements vscode.Disposable {
  readonly #tell: (colors: CodeColors) => void;
  readonly #subscription: vscode.Disposable;
  #reading = 0;

  constructor(tell: (colors: CodeColors) => void) {
    this.#tell = tell;
    this.#subscription = vscode.Disposable.from(
      vscode.window.onDidChangeActiveColorTheme(() => void this.read()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        const concerns = ["workbench", "window", "editor.tokenColorCustomizations"];
        if (concerns.some((section) => change.affectsConfiguration(section))) void this.read();
      }),
    );
  }

  /** Where the theme cannot be read, the page has colours of its own. */
  async read(): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    const colors = await readColors();
    if (reading === this.#reading) this.#tell(colors);
  }

  dispose(): void {
    this.#reading += 1;
    this.#subscription.dispose();
  }
}

/** By file, for all pages. */
const rulesByFile = new Map<string, Promise<readonly ColorRule[]>>();

async function readColors(): Promise<CodeColors> {
  const { kind } = vscode.window.activeColorTheme;
  const theme = findTheme(kind);
  if (theme === undefined) return {};
  const custom = vscode.workspace.getConfiguration("editor").get<unknown>("tokenColorCustomizations");
  const rules = [...(await rulesOf(theme.file)), ...readCustomizations(custom, theme.name)];
  const colors = pickCodeColors(rules);
  if (kind === vscode.ColorThemeKind.HighContrast) return withClearContrast(colors, "black");
  return kind === vscode.ColorThemeKind.HighContrastLight ? withClearContrast(colors, "white") : colors;
}

/** The theme that the settings name, if what is on the screen is of its kind. */
function findTheme(kind: vscode.ColorThemeKind): Theme | undefined {
  const uiTheme = uiThemes[kind];
  const followsSystem = vscode.workspace.getConfiguration("window").get<unknown>("autoDetectColorScheme");
  const settings = ["colorTheme", preferredThemes[kind]];
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

const uiThemes: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: "vs",
  [vscode.ColorThemeKind.Dark]: "vs-dark",
  [vscode.ColorThemeKind.HighContrast]: "hc-black",
  [vscode.ColorThemeKind.HighContrastLight]: "hc-light",
};

const preferredThemes: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: "preferredLightColorTheme",
  [vscode.ColorThemeKind.Dark]: "preferredDarkColorTheme",
  [vscode.ColorThemeKind.HighContrast]: "preferredHighContrastColorTheme",
  [vscode.ColorThemeKind.HighContrastLight]: "preferredHighContrastLightColorTheme",
};

/** A theme's rules behind those it is built on; none where a file cannot be read. */
function rulesOf(file: vscode.Uri): Promise<readonly ColorRule[]> {
  const known = rulesByFile.get(file.toString());
  if (known !== undefined) return known;
  const rules = readRules(file, mostIncludes).catch(() => {
    rulesByFile.delete(file.toString());
    return [];
  });
  rulesByFile.set(file.toString(), rules);
  return rules;
}

async function readRules(file: vscode.Uri, includes: number): Promise<readonly ColorRule[]> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > largestTheme) return [];
  const theme = readColorTheme(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  if (theme?.include === undefined || includes === 0) return theme?.rules ?? [];
  const included = vscode.Uri.joinPath(file, "..", theme.include);
  return [...(await readRules(included, includes - 1)), ...theme.rules];
}
