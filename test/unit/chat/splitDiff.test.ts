import assert from "node:assert/strict";
import { splitDiff } from "../../../src/chat/splitDiff.ts";

describe("splitDiff", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      "usual prefixes",
      "diff --git a/src/x.ts b/src/x.ts\n--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n",
      "src/x.ts",
    ],
    [
      "a new file",
      "diff --git a/n.ts b/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/n.ts\n@@ -0 +1 @@\n",
      "n.ts",
    ],
    ["mnemonic prefixes", "diff --git i/x.env w/x.env\n--- i/x.env\n+++ w/x.env\n@@ -1 +1 @@\n", "x.env"],
    ["no prefixes", "diff --git src/x.ts src/x.ts\n--- src/x.ts\n+++ src/x.ts\n@@ -1 +1 @@\n", "src/x.ts"],
    [
      "a name with blanks",
      "diff --git a/a b.txt b/a b.txt\n--- a/a b.txt\t\n+++ b/a b.txt\t\n@@ -1 +1 @@\n",
      "a b.txt",
    ],
    [
      "bytes",
      'diff --git "a/gr\\303\\274n.md" "b/gr\\303\\274n.md"\n--- "a/gr\\303\\274n.md"\n@@ -1 +1 @@\n',
      "grün.md",
    ],
    [
      "no text",
      "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n",
      "p.png",
    ],
    ["a rename", "diff --git a/old.ts b/new.ts\nrename from old.ts\nrename to new.ts\n", "old.ts"],
    ["a merge", "diff --cc m.ts\nindex 1,2..3\n--- a/m.ts\n+++ b/m.ts\n@@@ -1 -1 +1 @@@\n", "m.ts"],
  ];
  for (const [name, text, path] of cases) {
    it(`names the file of a diff with ${name}`, () => {
      const [file] = splitDiff(text);
      assert.ok(file?.paths.includes(path) === true, JSON.stringify(file?.paths));
      assert.equal(file?.text, text);
    });
  }

  it("cuts at files, and is not misled by their text", () => {
    const diff = cases.map(([, text]) => text).join("");
    assert.equal(splitDiff(diff).length, cases.length);
    assert.equal(
      splitDiff(diff)
        .map(({ text }) => text)
        .join(""),
      diff,
    );
    const misleading =
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/.env\n+diff --git a/y b/y\n";
    assert.deepEqual(
      splitDiff(misleading).map(({ paths }) => paths),
      [["x", "a/x", "b/x"]],
    );
  });
});
