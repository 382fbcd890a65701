import { readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { projectRoot } from "../../support/paths.ts";
import { readTexts } from "../shownTexts.ts";

/** Beside English; the names are those of the editor's own language packs. */
export const languages = ["de", "es", "fr", "ja", "ko", "pt-br", "zh-cn"] as const;

export type Language = (typeof languages)[number];
export type Texts = Readonly<Record<string, string>>;

const textsSchema = v.record(v.string(), v.string());

function readTextsOf(file: string): Texts {
  return v.parse(textsSchema, JSON.parse(readFileSync(path.join(projectRoot, file), "utf8")));
}

/** What the code says: the English text, and what it is in the language. */
export function readBundle(language: Language): Texts {
  return readTextsOf(`l10n/bundle.l10n.${language}.json`);
}

/** What package.json contributes: the key, and its text; in English where no language is named. */
export function readContributed(language?: Language): Texts {
  return readTextsOf(language === undefined ? "package.nls.json" : `package.nls.${language}.json`);
}

/** The English texts that the code looks up, each once, in order. */
export function textsInCode(): readonly string[] {
  const { translations } = readTexts("src");
  const texts = translations.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return [...new Set(texts)].toSorted();
}
