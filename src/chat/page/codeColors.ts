import * as v from "valibot";

/** The kinds of highlighted code, with their TextMate scopes in VS Code's themes. */
const scopeByKind = {
  comment: "comment",
  string: "string.quoted",
  number: "constant.numeric",
  constant: "constant.language",
  keyword: "storage.type",
  control: "keyword.control",
  function: "entity.name.function",
  type: "entity.name.type",
  variable: "variable.other.readwrite",
  property: "variable.other.property",
  tag: "entity.name.tag",
  attribute: "entity.other.attribute-name",
  meta: "meta.preprocessor",
  inserted: "markup.inserted",
  deleted: "markup.deleted",
} as const;

export type CodeKind = keyof typeof scopeByKind;

/** Colors by kind, as `#rrggbb` or a shorter or longer form. A kind is absent if the theme does not define it. */
export type CodeColors = Readonly<Partial<Record<CodeKind, string>>>;

/** A rule of a theme: the color of text with one of these scopes. */
export interface ColorRule {
  readonly scopes: readonly string[];
  readonly color: string;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys are those of the table above.
export const codeKinds = Object.keys(scopeByKind) as readonly CodeKind[];

const scopeSchema = v.optional(v.union([v.string(), v.array(v.string())]), []);
const ruleSchema = v.object({ scope: scopeSchema, settings: v.object({ foreground: v.string() }) });
const rulesSchema = v.fallback(v.array(v.unknown()), []);
const themeSchema = v.object({ include: v.optional(v.string()), tokenColors: v.optional(rulesSchema, []) });

/**
 * Reads the rules of a theme file, and the path of the file that it includes. Returns undefined if the text is not a
 * theme in JSON with comments.
 */
export function readColorTheme(
  text: string,
): { readonly include: string | undefined; readonly rules: readonly ColorRule[] } | undefined {
  const parsed = v.safeParse(themeSchema, parse(text));
  if (!parsed.success) return undefined;
  return { include: parsed.output.include, rules: readRules(parsed.output.tokenColors) };
}

/** Scopes for the simple names in `editor.tokenColorCustomizations`. */
const scopesByWord: Readonly<Record<string, readonly string[]>> = {
  comments: ["comment"],
  strings: ["string"],
  keywords: ["keyword", "keyword.control", "storage", "storage.type"],
  numbers: ["constant.numeric"],
  types: ["entity.name.type", "entity.name.class", "support.type", "support.class"],
  functions: ["entity.name.function", "support.function"],
  variables: ["variable", "entity.name.variable"],
};
const recordSchema = v.fallback(v.record(v.string(), v.unknown()), {});
const colorSchema = v.union([v.string(), v.object({ foreground: v.string() })]);

/** Reads the user's rules for a theme from `editor.tokenColorCustomizations`. A theme name may contain one `*`. */
export function readCustomizations(setting: unknown, themeName: string): ColorRule[] {
  const custom = v.parse(recordSchema, setting);
  const rules = readWords(custom);
  for (const [key, value] of Object.entries(custom)) {
    const names = key.startsWith("[") && key.endsWith("]") ? key.slice(1, -1).split(/\]\s*\[/) : [];
    if (names.some((name) => isNamed(themeName, name)))
      rules.push(...readWords(v.parse(recordSchema, value)));
  }
  return rules;
}

function readWords(custom: Readonly<Record<string, unknown>>): ColorRule[] {
  const rules = Object.entries(scopesByWord).flatMap(([word, scopes]) => {
    const read = v.safeParse(colorSchema, custom[word]);
    if (!read.success) return [];
    return [{ scopes, color: typeof read.output === "string" ? read.output : read.output.foreground }];
  });
  return [...rules, ...readRules(v.parse(rulesSchema, custom["textMateRules"]))];
}

function readRules(rules: readonly unknown[]): ColorRule[] {
  return rules.flatMap((rule) => {
    const read = v.safeParse(ruleSchema, rule);
    if (!read.success) return [];
    const names = [read.output.scope].flat().flatMap((each) => each.split(","));
    return [{ scopes: names.map((name) => name.trim()), color: read.output.settings.foreground }];
  });
}

function isNamed(theme: string, pattern: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return theme === pattern;
  return rest.length === 1 && theme.startsWith(start) && theme.slice(start.length).endsWith(rest[0] ?? "");
}

function parse(text: string): unknown {
  const plain = text
    .replaceAll(/("(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, "$1")
    .replaceAll(/("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])/g, "$1");
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}

/** Picks colors as VS Code does: the longest matching scope wins, then the last rule. */
export function pickCodeColors(rules: readonly ColorRule[]): CodeColors {
  const colors: Partial<Record<CodeKind, string>> = {};
  for (const kind of codeKinds) {
    let best = 0;
    for (const rule of rules) {
      const fit = Math.max(0, ...rule.scopes.map((scope) => fitOf(scope, scopeByKind[kind])));
      if (fit === 0 || fit < best || !isColor(rule.color)) continue;
      best = fit;
      colors[kind] = rule.color;
    }
  }
  return colors;
}

/** Removes colors whose contrast with the black or white background is below 4.5 : 1 (WCAG 2). */
export function withClearContrast(colors: CodeColors, ground: "black" | "white"): CodeColors {
  const clear = Object.entries(colors).filter(([, color]) => {
    const light = luminanceOf(color);
    return ground === "black" ? light >= 0.175 : light <= 0.183;
  });
  return Object.fromEntries(clear);
}

function isColor(text: string): boolean {
  return /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text);
}

/** Returns the length of the scope if it equals `name` or a parent of it, else 0. */
function fitOf(scope: string, name: string): number {
  return name === scope || name.startsWith(`${scope}.`) ? scope.length : 0;
}

function luminanceOf(color: string): number {
  const digits = color.length < 7 ? color.replaceAll(/[\da-f]/gi, "$&$&") : color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
