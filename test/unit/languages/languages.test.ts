import assert from "node:assert/strict";
import { repositoryFiles } from "../documents/documents.ts";
import { languages, readBundle, readContributed, textsInCode } from "./languages.ts";

/** What has to come back in a translation as it is: places for values, icons, code, links, ends of lines. */
const kept = /\{\d+\}|\$\([\w-]+\)|`[^`]*`|\]\(command:[\w.]+\)|\*\*|\n/g;

describe("languages", () => {
  const texts = textsInCode();
  const contributed = readContributed();

  it("have a file each for the code and for package.json, and no others are there", () => {
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

      it("has every text of the code, in order, and none besides", () => {
        assert.deepEqual(Object.keys(bundle), texts);
      });

      it("has every text of package.json, in the order of the English ones, and none besides", () => {
        assert.deepEqual(Object.keys(own), Object.keys(contributed));
      });

      it("keeps places for values, icons, code, links and ends of lines", () => {
        const lost = pairs.filter(([english, text]) => keptIn(english) !== keptIn(text));
        assert.deepEqual(lost, []);
      });

      it("leaves none empty, and keeps the dots of what asks further", () => {
        const wrong = pairs.filter(
          ([english, text]) => text.trim() === "" || (english.endsWith("...") && !text.endsWith("...")),
        );
        assert.deepEqual(wrong, []);
      });

      it("says something else than English, but for names", () => {
        const same = pairs.filter(([english, text]) => english === text && /\p{L}{2}/u.test(english));
        assert.ok(same.length < pairs.length / 20, same.map(([text]) => text).join(", "));
      });

      it("calls a command what it is called elsewhere", () => {
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
