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

  const usual = "diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n";
  const env = "diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1,2 @@\n-K=1\n+K=2\n+\n";

  it("reads a diff in colours as one without", () => {
    const colored = (usual + env).replaceAll(/^(.)(.*)$/gm, "\u001B[1;32m$1\u001B[m\u001B[32m$2\u001B[m");
    assert.notEqual(colored, usual + env);
    assert.deepEqual(splitDiff(colored), splitDiff(usual + env));
    assert.equal(splitDiff(colored).length, 2);
  });

  it("names no file of what another program wrote", () => {
    for (const foreign of [
      "x.ts --- TypeScript\n1 a  1 b\n",
      "--- /tmp/x.ts\n+++ x.ts\n@@ -1 +1 @@\n-a\n+b\n",
    ])
      assert.deepEqual(splitDiff(foreign), [{ paths: [], text: foreign }]);
  });

  it("parts what another program wrote of one file from what git says of others", () => {
    const foreign = ".env --- Text\nK=1 K=2\n@@ -1 +1 @@\n-K=1\n+K=2\n";
    const moved = "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n";
    const diff = `${foreign}${usual}\\ No newline at end of file\n${foreign}${moved}${foreign}`;
    const pieces = splitDiff(diff);
    assert.deepEqual(
      pieces.map(({ paths }) => paths[0]),
      [undefined, "x.ts", undefined, "a", undefined],
    );
    assert.ok(pieces.every(({ paths, text }) => paths.length === 0 || !text.includes("K=")));
    assert.equal(pieces.map(({ text }) => text).join(""), diff);
  });

  it("takes lines for none of a file's where git says that none of those have changed", () => {
    const foreign = "--- /tmp/copy_of_.env\n+++ .env\n@@ -1 +1 @@\n-K=1\n+K=2\n";
    for (const facts of [
      "old mode 100644\nnew mode 100755\n",
      "similarity index 100%\nrename from a\nrename to b\n",
      "index 1..2 100644\nBinary files a/p and b/p differ\n",
    ]) {
      const [own, other, ...none] = splitDiff(`diff --git a/p b/p\n${facts}${foreign}`);
      assert.ok(own?.text.endsWith(facts) === true, own?.text);
      assert.deepEqual([other, none], [{ paths: [], text: foreign }, []]);
    }
  });

  it("knows what git says of files without a diff", () => {
    const merge =
      "diff --cc m.ts\nindex 1,2..0\n--- a/m.ts\n+++ b/m.ts\n@@@ -1,2 -1,2 +1,4 @@@\n  1\n++<<<\n -a\n- b\n++c\n++d\n";
    const module = "Submodule lib 1234567..89abcde:\n  > Mend it\n";
    const pieces = splitDiff(`* Unmerged path f.ts\n${merge}${module}${usual}`);
    assert.deepEqual(
      pieces.map(({ paths }) => paths[0]),
      ["f.ts", "m.ts", "lib", "x.ts"],
    );
  });

  it("takes a hunk for whole whose last lines were trimmed", () => {
    const trimmed = usual.replace("@@ -1 +1 @@", "@@ -1,3 +1,3 @@");
    assert.deepEqual(
      splitDiff(trimmed + env).map(({ paths }) => paths[0]),
      ["x.ts", ".env"],
    );
  });
});
