import assert from "node:assert/strict";
import fc from "fast-check";
import { applyPatch } from "diff";
import {
  type ChangedFile,
  compareTexts,
  type FileSide,
  makeFileDiff,
  quotePath,
} from "../../../src/files/fileDiff.ts";

function text(content: string, mode: string | undefined = "100644"): FileSide {
  return { mode, content: { kind: "text", text: content } };
}

function diffOf(changed: Partial<ChangedFile>): string {
  return makeFileDiff({ path: "a.ts", before: undefined, after: undefined, ...changed }).text;
}

function manyLines(word: string): string {
  return `first\n${Array.from({ length: 60_000 }, (_, line) => `${word}${line}`).join("\n")}\nlast`;
}

describe("makeFileDiff", () => {
  const cases: readonly (readonly [string, Partial<ChangedFile>, string])[] = [
    [
      "a changed file",
      { before: text("a\nb\n"), after: text("a\nc\n") },
      "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
    ],
    [
      "a new file",
      { after: text("a\n") },
      "diff --git a/a.ts b/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+a\n",
    ],
    ["an empty new file", { after: text("") }, "diff --git a/a.ts b/a.ts\nnew file mode 100644\n"],
    [
      "a deleted file",
      { before: text("a\n", "100755") },
      "diff --git a/a.ts b/a.ts\ndeleted file mode 100755\n--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    ],
    [
      "a renamed file",
      { from: "old name.ts", before: text("a\n"), after: text("b\n") },
      "diff --git a/old name.ts b/a.ts\nrename from old name.ts\nrename to a.ts\n--- a/old name.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n",
    ],
    [
      "a file that only moved",
      {
        from: "b.ts",
        before: { mode: "100644", content: { kind: "unchanged" } },
        after: { mode: "100644", content: { kind: "unchanged" } },
      },
      "diff --git a/b.ts b/a.ts\nsimilarity index 100%\nrename from b.ts\nrename to a.ts\n",
    ],
    [
      "a copied file",
      { from: "b.ts", isCopy: true, before: text("a\n"), after: text("a\n") },
      "diff --git a/b.ts b/a.ts\ncopy from b.ts\ncopy to a.ts\n",
    ],
    [
      "a binary file",
      {
        before: { mode: "100644", content: { kind: "binary" } },
        after: { mode: "100644", content: { kind: "binary" } },
      },
      "diff --git a/a.ts b/a.ts\nBinary files a/a.ts and b/a.ts differ\n",
    ],
    [
      "a deleted binary file",
      { before: { mode: "100644", content: { kind: "binary" } } },
      "diff --git a/a.ts b/a.ts\ndeleted file mode 100644\nBinary files a/a.ts and /dev/null differ\n",
    ],
    [
      "a text that became binary",
      { before: text("a\n"), after: { mode: "100644", content: { kind: "binary" } } },
      "diff --git a/a.ts b/a.ts\nBinary files a/a.ts and b/a.ts differ\n",
    ],
    [
      "a submodule",
      {
        path: "lib",
        before: { mode: "160000", content: { kind: "submodule", commit: "1111" } },
        after: { mode: "160000", content: { kind: "submodule", commit: "2222" } },
      },
      "diff --git a/lib b/lib\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1111\n+Subproject commit 2222\n",
    ],
    [
      "a submodule without known commits",
      {
        path: "lib",
        before: { mode: "160000", content: { kind: "submodule", commit: undefined } },
        after: { mode: "160000", content: { kind: "submodule", commit: undefined } },
      },
      "diff --git a/lib b/lib\n(the submodule has changed)\n",
    ],
    [
      "an executable file",
      { before: text("a\n"), after: text("a\n", "100755") },
      "diff --git a/a.ts b/a.ts\nold mode 100644\nnew mode 100755\n",
    ],
    [
      "a file that the disk calls executable",
      { isOnDisk: true, before: text("a\n"), after: text("b\n", "100755") },
      "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n",
    ],
    [
      "a link that became a file",
      { isOnDisk: true, before: text("b.ts", "120000"), after: text("b\n") },
      "diff --git a/a.ts b/a.ts\nold mode 120000\nnew mode 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-b.ts\n\\ No newline at end of file\n+b\n",
    ],
    [
      "a file with the line ends of the operating system",
      { isOnDisk: true, before: text("a\nb\nc\n"), after: text("a\r\nB\r\nc\r\n") },
      "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    ],
    [
      "a file in which only line ends differ",
      { isOnDisk: true, before: text("a\n"), after: text("a\r\n") },
      "diff --git a/a.ts b/a.ts\n(only line endings differ)\n",
    ],
    [
      "a file that Git stores with CRLF line ends",
      { isOnDisk: true, before: text("a\r\nb\r\n"), after: text("a\r\nB\r\n") },
      "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n",
    ],
    [
      "a file with a merge conflict",
      { isUnmerged: true, isOnDisk: true, before: text("a\n"), after: text("<<<<<<<\n") },
      "diff --git a/a.ts b/a.ts\nunmerged: both sides of a merge changed this file\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+<<<<<<<\n",
    ],
    [
      "a large file",
      { before: text("a\n"), after: { mode: "100644", content: { kind: "too-large" } } },
      "diff --git a/a.ts b/a.ts\n(too large to be shown)\n",
    ],
    [
      "a name that would break its line",
      { path: 'x\n+++ b/"evil', after: text("a\n") },
      String.raw`diff --git "a/x\n+++ b/\"evil" "b/x\n+++ b/\"evil"` +
        "\nnew file mode 100644\n--- /dev/null\n" +
        String.raw`+++ "b/x\n+++ b/\"evil"` +
        "\n@@ -0,0 +1 @@\n+a\n",
    ],
  ];
  for (const [name, changed, expected] of cases) {
    it(`writes the diff of ${name}`, () => {
      assert.equal(diffOf(changed), expected);
    });
  }

  it("names both files of a rename, the old one first, and counts lines", () => {
    const { paths, change, added, removed } = makeFileDiff({
      path: "new",
      from: "old",
      before: text("a\nb\n"),
      after: text("a\n-- c\n++ d\n"),
    });
    assert.deepEqual([paths, change, added, removed], [["old", "new"], "renamed", 2, 1]);
  });

  const lines = fc.array(fc.constantFrom("a", "b", "c", "", "-x", "+y", "\\ z", "a\r"), { maxLength: 30 });
  const content = fc
    .tuple(lines, fc.boolean())
    .map(([all, isEnded]) => all.join("\n") + (isEnded ? "\n" : ""));

  it("writes a diff that turns the old text into the new one", () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const diff = diffOf({ before: text(before), after: text(after) });
        const hunks = diff.slice(Math.max(0, diff.indexOf("\n--- ") + 1));
        assert.equal(
          before === after ? before : applyPatch(before, hunks, { autoConvertLineEndings: false }),
          after,
        );
      }),
    );
  });

  it("is quick for large texts with only two common lines", () => {
    const started = performance.now();
    const diff = makeFileDiff({ path: "a", before: text(manyLines("a")), after: text(manyLines("b")) });
    assert.ok(performance.now() - started < 3000, `${performance.now() - started} ms`);
    assert.deepEqual([diff.added, diff.removed], [60_000, 60_000]);
    assert.match(diff.text, /^@@ -1,60002 \+1,60002 @@\n first\n-a0\n/m);
    assert.ok(diff.text.endsWith("\n last\n\\ No newline at end of file\n"));
  });

  it("does not quote a path in another script, but quotes line separators", () => {
    assert.equal(quotePath("文/ü.txt"), "文/ü.txt");
    assert.equal(quotePath("a\u2028b\u0085"), String.raw`"a\u2028b\u0085"`);
  });
});

describe("compareTexts", () => {
  it("gives the hunks without file names, and counts the lines", () => {
    assert.deepEqual(compareTexts("a\nb\n", "a\nc\nd\n"), {
      text: ["@@ -1,2 +1,3 @@", " a", "-b", "+c", "+d"],
      added: 2,
      removed: 1,
    });
    assert.deepEqual(compareTexts("", "a"), {
      text: ["@@ -0,0 +1 @@", "+a", "\\ No newline at end of file"],
      added: 1,
      removed: 0,
    });
    assert.deepEqual(compareTexts("a", "a"), { text: [], added: 0, removed: 0 });
  });
});
