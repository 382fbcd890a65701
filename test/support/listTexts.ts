// `npm run texts`: lists the texts that each language lacks, and the texts that are no longer used.
import { languages, readBundle, readContributed, textsInCode } from "../unit/languages/languages.ts";

const inCode = textsInCode();
const contributed = Object.keys(readContributed());

function listChanges(file: string, there: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.filter((text) => !there.includes(text));
  const unused = there.filter((text) => !wanted.includes(text));
  console.log(`${file}: ${missing.length} missing, ${unused.length} unused`);
  for (const text of missing) console.log(`  + ${JSON.stringify(text)}`);
  for (const text of unused) console.log(`  - ${JSON.stringify(text)}`);
}

console.log(`${inCode.length} texts in the code, ${contributed.length} in package.json`);
for (const language of languages) {
  listChanges(`l10n/bundle.l10n.${language}.json`, Object.keys(readBundle(language)), inCode);
  listChanges(`package.nls.${language}.json`, Object.keys(readContributed(language)), contributed);
}
