import assert from "node:assert/strict";
import fc from "fast-check";
import { readGitignore } from "../../../src/files/gitignore.ts";
import { tellFigure } from "../../support/figures.ts";
import { endsInTime } from "../text/endsInTime.ts";
import { GitignoreOfGit, gitignoreTexts, namesInTrees } from "./gitignoreOfGit.ts";

/** Whether the text ignores the path. A path with a slash at its end is a folder. */
function ignored(text: string, path: string): boolean {
  const isFolder = path.endsWith("/");
  return readGitignore(text)(isFolder ? path.slice(0, -1) : path, isFolder) === "ignored";
}

/** Whether the rules ignore a file or one of its parent folders. */
function isIgnored(rules: ReturnType<typeof readGitignore>, path: string): boolean {
  const names = path.split("/");
  return names.some(
    (_, index) => rules(names.slice(0, index + 1).join("/"), index + 1 < names.length) === "ignored",
  );
}

describe("readGitignore", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["*.log", ["a.log", "x/A.LOG"], ["a.log.txt", "log"]],
    ["/build", ["build", "build/"], ["x/build"]],
    ["out/", ["out/", "x/out/"], ["out"]],
    ["docs/*.md", ["docs/a.md"], ["docs/x/a.md", "x/docs/a.md"]],
    ["**/tmp", ["tmp", "x/y/tmp"], ["tmpx"]],
    ["a/**/z", ["a/z", "a/b/c/z"], ["z", "b/a/z"]],
    ["logs/**", ["logs/a", "logs/a/b"], ["logs"]],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["[a-c]?[!x]", ["a1y", "b2z"], ["d1y", "a1x"]],
    [String.raw`\#x`, ["#x"], ["x"]],
    [String.raw`\!x`, ["!x"], ["x"]],
    [String.raw`a\*`, ["a*"], ["ab"]],
    [String.raw`end\ `, ["end "], ["end"]],
    ["blanks  ", ["blanks"], ["blanks  "]],
    ["[open", [], ["[open", "o"]],
    ["# note", [], ["# note"]],
    ["\uFEFFfirst\r\nsecond\r\n", ["first", "second"], []],
    ["*.log\n!keep.log", ["a.log"], ["keep.log"]],
    ["caf\u00e9/", ["cafe\u0301/", "CAFE\u0301/"], ["cafe/"]],
    ["!keep.log\n*.log", ["keep.log"], []],
    ["[[:digit:]].txt", ["7.txt"], ["a.txt", "77.txt"]],
    ["x[![:alpha:]_]", ["x1", "x-"], ["xa", "x/"]],
    ["foo**/bar", ["foo/bar", "foo/a/b/bar", "food/bar", "foobar"], ["foo/bars", "x/foo/bar"]],
    ["src/gen**/*.js", ["src/gen/a.js", "src/generated/x/a.js"], ["src/other/a.js", "gen/a.js"]],
    [String.raw`a\?`, ["a?"], ["ab"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["*.[!o]", ["a.c", "A.O1".slice(0, 3).replace("O", "C")], ["a.o"]],
    ["*\n!/src/\n", ["a", "src/a"], ["src/"]],
    ["*.key\n!*a*b*c*.key", ["a.key", "aXbXc.KEY"], ["aXbXc.key"]],
    ["*.md\n!**/docs/**/*.md", ["a.md"], ["docs/a.md", "x/docs/y/a.md"]],
    ["[^[:space:]][!a]", ["é", "bb"], ["aa"]],
    ["report.[0-9]*.[0-9]*.[0-9]*.[0-9]*.json", ["report.1.2.33.4.json"], ["report.final.json"]],
  ];
  for (const [text, taken, left] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      for (const path of taken) assert.ok(ignored(text, path), `${path} is ignored`);
      for (const path of left) assert.ok(!ignored(text, path), `${path} is not ignored`);
    });
  }

  it("ignores everything that Git ignores, and hardly more", () => {
    const git = new GitignoreOfGit();
    const texts = fc.sample(gitignoreTexts, { numRuns: 100, seed: 20261128 });
    const more: string[] = [];
    let pairs = 0;
    try {
      for (const [index, text] of texts.entries()) {
        const paths = fc.sample(namesInTrees, { numRuns: 30, seed: index });
        const byGit = git.ignoredBy(text, paths);
        const rules = readGitignore(text);
        for (const path of paths) {
          const own = isIgnored(rules, path);
          pairs += 1;
          assert.ok(own || !byGit.has(path), `${JSON.stringify(text)} on ${JSON.stringify(path)}`);
          if (own && !byGit.has(path)) more.push(`${JSON.stringify(text)} on ${path}`);
        }
      }
    } finally {
      git.remove();
    }
    // These rules ignore case, and they read some lines more broadly than Git.
    assert.ok(more.length < pairs / 50, more.join("\n"));
    tellFigure(
      `.gitignore: ${pairs} pairs against git, none sent that it ignores, ${more.length} ignored besides`,
    );
  });

  it("matches hostile lines in time", () => {
    assert.ok(
      endsInTime(
        "src/files/gitignore.ts",
        `const lines = ["*a".repeat(60) + "b", "**/a/".repeat(60) + "b", "*".repeat(200) + "b", "[".repeat(900), "**/*a", "*a*", "x".repeat(5000), "!" + "*a".repeat(60)];
        const says = its.readGitignore(lines.join("\\n"));
        for (const path of ["a".repeat(250), "a/".repeat(200) + "a"]) says(path, false);`,
      ),
    );
  });
});
