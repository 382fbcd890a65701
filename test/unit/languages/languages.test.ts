import assert from "node:assert/strict";
import { repositoryFiles } from "../documents/documents.ts";
import { languages, readBundle, readContributed, textsInCode } from "./languages.ts";

/** Parts that a translation must repeat: placeholders, icons, code, links, bold marks, line breaks. */
const kept = /\{\d+\}|\$\([\w-]+\)|`[^`]*`|\]\(command:[\w.]+\)|\*\*|\n/g;

describe("languages", () => {
  const texts = textsInCode();
  const contributed = readContributed();

  it("have one file for the code and one for package.json each", () => {
    assert.deepEqual(
      repositoryFiles().filter((name) => /^l10n\/|^package\.nls\../.test(name)),
      [
        ...languages.map((language) => `l10n/bundle.l10n.${language}.json`),
        ...languages.map((language) => `package.nls.${language}.json`),
        "package.nls.json",
      ].toSorted(),
    );
  });

  for (const language of languages) {
    describe(language, () => {
      const bundle = readBundle(language);
      const own = readContributed(language);
      const pairs = [
        ...Object.entries(bundle),
        ...Object.entries(own).map(([key, text]): [string, string] => [contributed[key] ?? "", text]),
      ];

      it("has exactly the texts of the code, in order", () => {
        assert.deepEqual(Object.keys(bundle), texts);
      });

      it("has exactly the texts of package.json, in the English order", () => {
        assert.deepEqual(Object.keys(own), Object.keys(contributed));
      });

      it("repeats placeholders, icons, code, links, and line breaks", () => {
        const lost = pairs.filter(([english, text]) => keptIn(english) !== keptIn(text));
        assert.deepEqual(lost, []);
      });

      it("has no empty text and keeps the three dots at the end of a text", () => {
        const wrong = pairs.filter(
          ([english, text]) => text.trim() === "" || (english.endsWith("...") && !text.endsWith("...")),
        );
        assert.deepEqual(wrong, []);
      });

      it("differs from English in more than 95% of its texts", () => {
        const same = pairs.filter(([english, text]) => english === text && /\p{L}{2}/u.test(english));
        assert.ok(same.length < pairs.length / 20, same.map(([text]) => text).join(", "));
      });

      it("uses one name for a command everywhere", () => {
        const inCode = new Map(
          Object.entries(bundle).map(([english, text]) => [withoutDots(english), withoutDots(text)]),
        );
        const other = Object.entries(contributed).flatMap(([key, english]) => {
          const [here, there] = [withoutDots(own[key] ?? ""), inCode.get(withoutDots(english))];
          return key.startsWith("command.") && there !== undefined && there !== here ? [[here, there]] : [];
        });
        assert.deepEqual(other, []);
      });
    });
  }
});

function keptIn(text: string): string {
  return (text.match(kept) ?? []).toSorted().join(" ");
}

function withoutDots(title: string): string {
  return title.replace(/\.\.\.$/, "");
}
