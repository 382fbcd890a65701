import * as v from "valibot";
import { type ColorRule } from "./codeColors.ts";

const scope = v.optional(v.union([v.string(), v.array(v.string())]), []);
const ruleSchema = v.object({ scope, settings: v.object({ foreground: v.string() }) });
const rulesSchema = v.fallback(v.array(v.unknown()), []);
const themeSchema = v.object({
  include: v.optional(v.string()),
  tokenColors: v.optional(rulesSchema, []),
});

/** A theme's file: its rules, and the file that they come on top of. */
export interface ColorTheme {
  readonly include?: string;
  readonly rules: readonly ColorRule[];
}

/** Reads a theme's file, JSON with comments; undefined where it is something else. */
export function readColorTheme(text: string): ColorTheme | undefined {
  const parsed = v.safeParse(themeSchema, parse(text));
  if (!parsed.success) return undefined;
  const { include, tokenColors } = parsed.output;
  return { rules: readRules(tokenColors), ...(include === undefined ? {} : { include }) };
}

/** Scopes by the words of the setting `editor.tokenColorCustomizations`. */
const words: Readonly<Record<string, readonly string[]>> = {
  comments: ["comment"],
  strings: ["string"],
  keywords: ["keyword", "keyword.control", "storage", "storage.type"],
  numbers: ["constant.numeric"],
  types: ["entity.name.type", "entity.name.class", "support.type", "support.class"],
  functions: ["entity.name.function", "support.function"],
  variables: ["variable", "entity.name.variable"],
};
const recordSchema = v.fallback(v.record(v.string(), v.unknown()), {});
const colorSchema = v.union([
  v.string(),
  v.pipe(
    v.object({ foreground: v.string() }),
    v.transform((each) => each.foreground),
  ),
]);

/** What the user's setting adds for a theme, whose name may be said with `*`. */
export function readCustomizations(setting: unknown, themeName: string): ColorRule[] {
  const custom = v.parse(recordSchema, setting);
  const rules = readWords(custom);
  for (const [key, value] of Object.entries(custom)) {
    // One that is not closed is taken as well, and left out: it is not to be looked through from each bracket in it.
    const names = [...key.matchAll(/\[([^\]]*)(\])?/g)].flatMap(([, name = "", end]) =>
      end === undefined ? [] : [name],
    );
    if (names.some((name) => isNamed(themeName, name)))
      rules.push(...readWords(v.parse(recordSchema, value)));
  }
  return rules;
}

function readWords(custom: Readonly<Record<string, unknown>>): ColorRule[] {
  const rules = Object.entries(words).flatMap(([word, scopes]) => {
    const color = v.safeParse(colorSchema, custom[word]);
    return color.success ? [{ scopes, color: color.output }] : [];
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
