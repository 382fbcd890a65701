import { readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { projectRoot } from "../../support/paths.ts";
import { readTexts } from "../shownTexts.ts";

/** Languages besides English. The names are those of VS Code's language packs. */
export const languages = ["de", "es", "fr", "ja", "ko", "pt-br", "zh-cn"] as const;

export type Language = (typeof languages)[number];
export type Texts = Readonly<Record<string, string>>;

const textsSchema = v.record(v.string(), v.string());

function readTextsOf(file: string): Texts {
  return v.parse(textsSchema, JSON.parse(readFileSync(path.join(projectRoot, file), "utf8")));
}

/** Translations of the texts in the code, by the English text. */
export function readBundle(language: Language): Texts {
  return readTextsOf(`l10n/bundle.l10n.${language}.json`);
}

/** Texts of package.json by key; in English without a language. */
export function readContributed(language?: Language): Texts {
  return readTextsOf(language === undefined ? "package.nls.json" : `package.nls.${language}.json`);
}

/** English texts that the code translates: unique and sorted. */
export function textsInCode(): readonly string[] {
  const { translations } = readTexts("src");
  const texts = translations.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return [...new Set(texts)].toSorted();
}
