import assert from "node:assert/strict";
import { placeSnippet } from "../../../src/chat/snippetPlacement.ts";
import { endsInTime } from "./endsInTime.ts";

const file = `import { a } from "a";

function first(): number {
  const x = 1;
  return x;
}

class Box {
  open(): void {
    this.state = "open";
  }

  close(): void {
    this.state = "closed";
  }
}
`;

describe("placeSnippet", () => {
  it("takes a block that begins like the file and has half of its lines for the whole file", () => {
    const code = file.replace("const x = 1;", "const x = 2;\n  log(x);");
    assert.deepEqual(placeSnippet(file, code, 0), { kind: "file", text: code });
    assert.deepEqual(placeSnippet("", "let a;", 0), { kind: "file", text: "let a;\n" });
  });

  it("replaces the lines from the block's first to its last, however many came between", () => {
    const code = "function first(): number {\n  const x = 2;\n  log(x);\n  return x;\n}\n";
    const { kind, text } = placeSnippet(file, code, 0);
    assert.equal(kind, "lines");
    assert.equal(text, file.replace("const x = 1;", "const x = 2;\n  log(x);"));
  });

  it("finds the end that has the indent of the beginning, and gives the block the file's indent", () => {
    const code = 'close(): void {\n  if (this.state === "open") {\n    this.state = "closed";\n  }\n}';
    const { kind, text } = placeSnippet(file, code, 0);
    assert.equal(kind, "lines");
    assert.match(
      text,
      /\n {2}close\(\): void \{\n {4}if [^]*\n {6}this\.state = "closed";\n {4}\}\n {2}\}\n\}\n$/,
    );
    assert.match(text, /open\(\): void/);
  });

  it("ends where the block's indent ends, not at the first bracket that looks like it", () => {
    const nested = "function f() {\n  if (a) {\n    b();\n  }\n  c();\n}\nd();\ne();\ng();\nh();\n";
    const { text } = placeSnippet(nested, "function f() {\n  if (a) {\n    b();\n  }\n}", 0);
    assert.equal(text, nested.replace("  c();\n", ""));
  });

  it("keeps what the file has where the block says that there is more", () => {
    const code =
      'import { a, b } from "a";\n\n// ... existing code ...\n\nclass Box {\n  open(): void {\n    b();\n  }\n  // ... rest of the class\n}';
    const { kind } = placeSnippet(file, code.replace("import { a, b }", "import { a }"), 0);
    assert.equal(kind, "lines");
    const { text } = placeSnippet(file, code.replace("import { a, b }", "import { a }"), 0);
    assert.match(text, /const x = 1;/);
    assert.match(text, /b\(\);/);
    assert.doesNotMatch(text, /\.\.\./);
  });

  it("does not take code that begins with three dots for a gap", () => {
    const spread = "const a = {\n  x,\n};\nb();\nc();\nd();\n";
    const code = "const a = {\n  ...options,\n  x,\n};";
    assert.equal(placeSnippet(spread, code, 0).text, `${code}\nb();\nc();\nd();\n`);
    const python = "class A:\n    def b(self): pass\nc = 1\nd = 2\ne = 3\n";
    const stub = "class A:\n    def b(self):\n        ...";
    assert.match(placeSnippet(python, stub, 0).text, /def b\(self\):\n {8}\.\.\.\nc = 1/);
  });

  it("replaces the block of a line that is found where the last one is not", () => {
    const python = "def a():\n    return 1\n\ndef b():\n    return 2\n";
    const { text } = placeSnippet(python, "def a():\n    x = 3\n    return x", 0);
    assert.equal(text, "def a():\n    x = 3\n    return x\n\ndef b():\n    return 2\n");
  });

  it("brings what is new in behind the cursor, or at the end", () => {
    assert.equal(placeSnippet("a\nb\n", "new", 0).text, "a\nnew\nb\n");
    assert.equal(placeSnippet("a\nb\n", "new", 99).text, "a\nb\nnew\n");
    assert.equal(placeSnippet("a\nb\n", "new", 99).kind, "cursor");
  });

  it("looks at every line of a long file once", () => {
    assert.ok(
      endsInTime(
        "src/chat/snippetPlacement.ts",
        `const item = (id) => '  {\\n    "id": ' + id + ',\\n    "name": "x"\\n  },';
        const file = "[\\n" + Array.from({ length: 40_000 }, (_, id) => item(id)).join("\\n") + "\\n]\\n";
        if (its.placeSnippet(file, item(77), 0).kind !== "lines") throw new Error("not found");`,
      ),
    );
  });

  it("takes files of any length", () => {
    const long = "x = 1\n".repeat(200_000);
    const { kind, text } = placeSnippet(
      `${long}def a():\n    return 1\n${long}`,
      "def a():\n    return 2",
      0,
    );
    assert.equal(kind, "lines");
    assert.equal(text.length, 2 * long.length + "def a():\n    return 2\n".length);
  });
});
