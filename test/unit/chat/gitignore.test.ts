import assert from "node:assert/strict";
import fc from "fast-check";
import ignore from "ignore";
import { readGitignore } from "../../../src/chat/gitignore.ts";
import { endsInTime } from "./endsInTime.ts";

/** Paths that end with a slash are folders. */
function ignored(text: string, path: string): boolean {
  const isFolder = path.endsWith("/");
  return readGitignore(text)(isFolder ? path.slice(0, -1) : path, isFolder) === "ignored";
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
    ["!keep.log\n*.log", ["keep.log"], []],
    ["report.[0-9]*.[0-9]*.[0-9]*.[0-9]*.json", ["report.1.2.33.4.json"], ["report.final.json"]],
  ];
  for (const [text, taken, left] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      for (const path of taken) assert.ok(ignored(text, path), `${path} is ignored`);
      for (const path of left) assert.ok(!ignored(text, path), `${path} is not ignored`);
    });
  }

  it("says of usual lines what a library of that purpose says", () => {
    const name = fc.constantFrom("a", "b", "ab", "a.b", "b.a");
    const segment = fc.oneof(name, fc.constantFrom("*", "*.b", "a*", "?", "[ab]", "*a*"));
    const line = fc
      .tuple(
        fc.constantFrom("", "", "!", "/", "**/"),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "", "/"),
      )
      .map(([start, segments, end]) => `${start}${segments.join("/")}${end}`);
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), path, fc.boolean(), (lines, named, isFolder) => {
        const text = lines.join("\n");
        const library = ignore().add(text);
        // The library says of what is in an ignored folder that it is ignored.
        const above = named.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));
        const own = above.some((each) => ignored(text, each === named && !isFolder ? each : `${each}/`));
        assert.equal(own, library.ignores(isFolder ? `${named}/` : named), `${text} on ${named}`);
      }),
      { numRuns: 2000 },
    );
  });

  it("is done with hostile lines at once", () => {
    assert.ok(
      endsInTime(
        "src/chat/gitignore.ts",
        `const lines = ["*a".repeat(60) + "b", "**/a/".repeat(60) + "b", "*".repeat(200) + "b", "[".repeat(900)];
        const says = its.readGitignore(lines.join("\\n"));
        for (const path of ["a".repeat(250), "a/".repeat(200) + "a"]) says(path, false);`,
      ),
    );
  });
});
