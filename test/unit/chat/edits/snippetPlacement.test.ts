import assert from "node:assert/strict";
import { placeSnippet } from "../../../../src/chat/edits/snippetPlacement.ts";
import { processorTime } from "../../processorTime.ts";
import { endsInTime } from "../../text/endsInTime.ts";

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
  it("replaces the whole file if the block begins and ends like the file and has half of its lines", () => {
    const code = file.replace("const x = 1;", "const x = 2;\n  log(x);");
    assert.deepEqual(placeSnippet(file, code, 0), { kind: "file", text: code });
    assert.deepEqual(placeSnippet("", "let a;", 0), { kind: "file", text: "let a;\n" });
  });

  it("replaces everything from the block's first line to its last line", () => {
    const code = "function first(): number {\n  const x = 2;\n  log(x);\n  return x;\n}\n";
    const { kind, text } = placeSnippet(file, code, 0);
    assert.equal(kind, "lines");
    assert.equal(text, file.replace("const x = 1;", "const x = 2;\n  log(x);"));
  });

  it("replaces lines up to the indent of the block's first line, and indents the block like the file", () => {
    const code = 'close(): void {\n  if (this.state === "open") {\n    this.state = "closed";\n  }\n}';
    const { kind, text } = placeSnippet(file, code, 0);
    assert.equal(kind, "lines");
    assert.match(
      text,
      /\n {2}close\(\): void \{\n {4}if [^]*\n {6}this\.state = "closed";\n {4}\}\n {2}\}\n\}\n$/,
    );
    assert.match(text, /open\(\): void/);
  });

  it("replaces lines up to the closing bracket with the block's indent, not to the first bracket", () => {
    const nested = "function f() {\n  if (a) {\n    b();\n  }\n  c();\n}\nd();\ne();\ng();\nh();\n";
    const { text } = placeSnippet(nested, "function f() {\n  if (a) {\n    b();\n  }\n}", 0);
    assert.equal(text, nested.replace("  c();\n", ""));
  });

  it("keeps the file's lines where the block marks omitted code", () => {
    const code =
      'import { a, b } from "a";\n\n// ... existing code ...\n\nclass Box {\n  open(): void {\n    b();\n  }\n  // ... rest of the class\n}';
    const { kind } = placeSnippet(file, code.replace("import { a, b }", "import { a }"), 0);
    assert.equal(kind, "lines");
    const { text } = placeSnippet(file, code.replace("import { a, b }", "import { a }"), 0);
    assert.match(text, /const x = 1;/);
    assert.match(text, /b\(\);/);
    assert.doesNotMatch(text, /\.\.\./);
  });

  it("doesn't treat code that begins with three dots as an omission", () => {
    const spread = "const a = {\n  x,\n};\nb();\nc();\nd();\n";
    const code = "const a = {\n  ...options,\n  x,\n};";
    assert.equal(placeSnippet(spread, code, 0).text, `${code}\nb();\nc();\nd();\n`);
    const python = "class A:\n    def b(self): pass\nc = 1\nd = 2\ne = 3\n";
    const stub = "class A:\n    def b(self):\n        ...";
    assert.match(placeSnippet(python, stub, 0).text, /def b\(self\):\n {8}\.\.\.\nc = 1/);
  });

  it("replaces the first line and the lines indented under it if the last line is not found", () => {
    const python = "def a():\n    return 1\n\ndef b():\n    return 2\n";
    const { text } = placeSnippet(python, "def a():\n    x = 3\n    return x", 0);
    assert.equal(text, "def a():\n    x = 3\n    return x\n\ndef b():\n    return 2\n");
  });

  it("inserts new code after the cursor's line or at the end", () => {
    assert.equal(placeSnippet("a\nb\n", "new", 0).text, "a\nnew\nb\n");
    assert.equal(placeSnippet("a\nb\n", "new", 99).text, "a\nb\nnew\n");
    assert.equal(placeSnippet("a\nb\n", "new", 99).kind, "cursor");
  });

  it("places a block in a file of 160,000 lines in time", () => {
    assert.ok(
      endsInTime(
        "src/chat/edits/snippetPlacement.ts",
        `const item = (id) => '  {\\n    "id": ' + id + ',\\n    "name": "x"\\n  },';
        const file = "[\\n" + Array.from({ length: 40_000 }, (_, id) => item(id)).join("\\n") + "\\n]\\n";
        if (its.placeSnippet(file, item(77), 0).kind !== "lines") throw new Error("not found");`,
      ),
    );
  });

  it("places a block in the middle of a file of 400,000 lines", () => {
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

/** The file's text with the code in it, or "unsure". */
function placed(text: string, code: string, cursor = 0): string {
  const result = placeSnippet(text, code, cursor);
  return result.kind === "unsure" ? "unsure" : result.text;
}

const functions =
  "function one() {\n  return 1;\n}\n\nfunction two(a) {\n  return a;\n}\n\nfunction three() {\n  return 3;\n}\n";

/** Puts the text between other lines. */
const around = (text: string): string => `first = 1\n\n${text}\nlast = 2\n`;

describe("the place of a block", () => {
  it("is the definition with the same name, even if its signature changed", () => {
    const pairs: readonly (readonly [file: string, code: string])[] = [
      ["def two(a):\n    return a\n", "async def two(a, b=1) -> int:\n    return b"],
      ["fn two(a: i32) -> i32 {\n    a\n}\n", "pub async fn two<T>(a: T, b: T) -> T {\n    b\n}"],
      [
        "func (s *Store) two(a int) int {\n\treturn a\n}\n",
        "func (s *Store) two(a, b int) (int, error) {\n\treturn b, nil\n}",
      ],
      [
        "const two = (a) => {\n  return a;\n};\n",
        "export const two = async (a: number, b = 2): Promise<number> => {\n  return b;\n};",
      ],
      ["function two(a) {\n  return a;\n}\n", "const two = (a, b) => {\n  return b;\n};"],
      ["class Two {\n  x = 1;\n}\n", "export default class Two extends One {\n  x = 2;\n}"],
      ["fun two(a: Int): Int {\n    return a\n}\n", "private suspend fun two(a: Int, b: Int) = a + b"],
      ["two() {\n  echo 1\n}\n", "two() {\n  echo 2\n}"],
      [".two {\n  color: red;\n}\n", ".two {\n  color: blue;\n  margin: 0;\n}"],
      ["test('two', () => {\n  ok(1);\n});\n", "test('two', async () => {\n  ok(2);\n});"],
      ["CREATE TABLE two (\n  a int\n);\n", "create table if not exists two (\n  a text\n);"],
      ["two:\n  a: 1\n", "two:\n  a: 2\n  b: 3"],
    ];
    for (const [own, code] of pairs) {
      assert.equal(placed(around(own), code), around(`${code}\n`));
    }
  });

  it("is the method with the same signature if several methods have the same name", () => {
    const text =
      "class A {\n    void run(int a) {\n        x(a);\n    }\n\n    void run(String s) {\n        y(s);\n    }\n}\n";
    assert.equal(placed(text, "void run(String s) {\n    z(s);\n}"), text.replace("y(s)", "z(s)"));
  });

  it("is the candidate at the cursor or in the class that the block shows", () => {
    const text = "class A {\n  run() {\n    go(1);\n  }\n}\n\nclass B {\n  run() {\n    go(2);\n  }\n}\n";
    assert.equal(placed(text, "run() {\n  stop();\n}", 2), text.replace("go(1)", "stop()"));
    assert.equal(placed(text, "run() {\n  stop();\n}", 8), text.replace("go(2)", "stop()"));
    assert.equal(
      placed(text, "class B {\n  run() {\n    stop();\n  }\n}", 2),
      text.replace("go(2)", "stop()"),
    );
    const logged = text.replace("go(2);", "go(2);\n    log();");
    assert.equal(
      placed(logged, "run() {\n  stop();\n  log();\n}", 2),
      logged.replace("go(1);", "stop();\n    log();"),
    );
    const blocks = "it('a', () => {\n  const x = make();\n  check(x, 1);\n});\n".repeat(3);
    const lines = placed(blocks, "  const x = make();\n  check(x, 9);\n});", 6).split("\n");
    assert.deepEqual([lines[2], lines[6], lines[10]], ["  check(x, 1);", "  check(x, 9);", "  check(x, 1);"]);
  });

  it("is after the function at the cursor for a new function or method, and after the imports for an import", () => {
    const fresh = "function four() {\n  return 4;\n}";
    assert.equal(
      placed(functions, fresh, 5),
      functions.replace("\nfunction three", `\n${fresh}\n\nfunction three`),
    );
    const text = "class A {\n\tone() {\n\t\treturn 1;\n\t}\n\n\ttwo() {\n\t\treturn 2;\n\t}\n}\n";
    const method = "\tthree() {\n\t\treturn 3;\n\t}\n";
    assert.equal(placed(text, "three() {\n  return 3;\n}", 2), text.replace("\n\ttwo", `\n${method}\n\ttwo`));
    assert.equal(placed(`import a\n\n${text}`, "import b"), `import a\nimport b\n\n${text}`);
  });

  it("covers only the shown code, so functions in between and the rest of the file stay", () => {
    const code = "function one() {\n  return 11;\n}\n\nfunction three() {\n  return 33;\n}";
    assert.equal(
      placed(functions, code),
      functions.replace("return 1;", "return 11;").replace("return 3;", "return 33;"),
    );
    const long = functions + functions.replaceAll("function ", "function more");
    const broken = long.slice(0, long.indexOf("function morethree"));
    assert.equal(
      placed(long, broken.replace("return 1;", "return 11;")),
      long.replace("return 1;", "return 11;"),
    );
  });

  it("determines the block's indent, except inside multi-line strings", () => {
    const tabs = "class A {\n\trun() {\n\t\tif (a) {\n\t\t\tgo();\n\t\t}\n\t}\n}\n";
    assert.equal(
      placed(tabs, "run() {\n    if (b) {\n        stop();\n    }\n}"),
      tabs.replace("if (a)", "if (b)").replace("go", "stop"),
    );
    const four = "def a():\n    if x:\n        b()\n\n\ndef c():\n    if y:\n        d()\n";
    assert.equal(placed(four, "def c():\n  if z:\n    e()"), four.replace("y:", "z:").replace("d()", "e()"));
    const spaces = "class A {\n  run() {\n    go();\n  }\n}\n";
    assert.equal(placed(spaces, "\trun() {\n\t\tstop();\n\t}"), spaces.replace("go", "stop"));
    const template = "run() {\n  return `\nselect\n    a\n`;\n}";
    assert.equal(placed(spaces, template), "class A {\n  run() {\n    return `\nselect\n    a\n`;\n  }\n}\n");
  });

  it("is found if the first line lost its indent or the block starts inside another function", () => {
    const text = "class A {\n  one() {\n    a();\n    b();\n  }\n\n  two() {\n    c();\n  }\n}\n";
    assert.equal(placed(text, "two() {\n    d();\n  }"), text.replace("c()", "d()"));
    assert.equal(placed(text, "    b();\n  }\n\n  two() {\n    d();\n  }"), text.replace("c()", "d()"));
  });

  it("ends by the indent of the block's first line, even if the block's last line is a deeper bracket", () => {
    const text =
      "def f():\n    return g(\n        1,\n    )\n\n\ndef h(a,\n      b):\n    return g(\n        2,\n    )\n";
    assert.equal(
      placed(text, "def f():\n    log()\n    return g(\n        1,\n    )"),
      text.replace("():\n", "():\n    log()\n"),
    );
    assert.equal(
      placed(text, "def h(a,\n      b):\n    log()\n    return g(\n        2,\n    )"),
      text.replace("b):\n", "b):\n    log()\n"),
    );
    const marked = "def h(a,\n      b):\n    # ...\n    return g(\n        3,\n    )";
    assert.equal(placed(text, marked), text.replace("2", "3"));
  });

  it("is found despite unindented strings and namespaces", () => {
    const text = "class A {\n  one() {\n    run(`\nSELECT 1\n`);\n  }\n\n  two() {\n    return 2;\n  }\n}\n";
    const code = "class A {\n  // ...\n\n  two() {\n    return 22;\n  }\n}";
    assert.equal(placed(text, code), text.replace("2;", "22;"));
    const space = "namespace a {\n\nbool operator==(A a) {\n  return b;\n}\n\n}  // namespace a\n";
    assert.equal(
      placed(space, "bool operator==(A a) noexcept {\n  return c;\n}"),
      space.replace("a) {\n  return b", "a) noexcept {\n  return c"),
    );
  });

  it("is the same constant, instruction, export, or macro", () => {
    const lines: readonly (readonly [string, string])[] = [
      ["#define MAX 1", "#define MAX 2"],
      ["EXPOSE 80", "EXPOSE 8080"],
      ["export { a };", "export { a, b };"],
      ["validates :a, presence: true", "validates :a, length: { maximum: 8 }"],
    ];
    for (const [own, code] of lines) {
      const text = `x()\n${own}\ny()\n`;
      assert.equal(placed(text, code), text.replace(own, code), code);
    }
    const documents = "a: 1\nspec:\n  ports: 1\n---\nspec:\n  replicas: 1\n";
    assert.equal(placed(documents, "spec:\n  replicas: 3"), documents.replace("replicas: 1", "replicas: 3"));
  });

  it("is unsure for a new entry of a JSON object", () => {
    assert.equal(placed('{\n  "a": {\n    "b": 1\n  }\n}\n', '"c": {\n  "d": 1\n}'), "unsure");
  });

  it("does not change whether the file ends with a line break", () => {
    for (const end of ["", "\n"]) {
      assert.equal(
        placed(`a = 1\nb = 2\nc = 3${end}`, "a = 1\nb = 22\nc = 3\n"),
        `a = 1\nb = 22\nc = 3${end}`,
      );
      assert.equal(
        placed(`x()\n\ndef f():\n    a()${end}`, "def f():\n    b()\n"),
        `x()\n\ndef f():\n    b()${end}`,
      );
    }
  });
});

describe("a block with omitted parts", () => {
  it("keeps the omitted parts for several forms and positions of the mark", () => {
    const two = functions.replace("return a;", "return b;");
    for (const mark of [
      "// ...",
      "// existing code",
      "// [other functions unchanged]",
      "...",
      "/* rest of the file */",
    ]) {
      const code = "function two(a) {\n  return b;\n}";
      for (const block of [`${mark}\n\n${code}`, `${code}\n\n${mark}`, `${mark}\n${code}\n${mark}`])
        assert.equal(placed(functions, block), two, block);
      assert.equal(placed(functions, `function one() {\n  ${mark}\n}\n\n${code}\n\n${mark}`), two);
    }
  });

  it("keeps parts omitted within a line", () => {
    const three = functions.replace("return 3", "return 33");
    for (const line of ["{ ... }", "{ /* ... existing ... */ }", "{ // ... unchanged\n}", "{…}"])
      assert.equal(
        placed(functions, `function one() ${line}\n\nfunction three() {\n  return 33;\n}`),
        three,
        line,
      );
    const css = ".a { color: red; }\n.b { color: blue; }\n";
    assert.equal(placed(css, ".a { /* ... */ }\n.b { color: lime; }"), css.replace("blue", "lime"));
    const python = "def a(x):\n    return x\n\ndef b():\n    return 2\n";
    assert.equal(placed(python, "def a(x): ...\n\ndef b():\n    return 3"), python.replace("2", "3"));
    assert.equal(
      placed("x = 1\ny = 2\nz = 3\n", "x = 1  # unchanged\ny = 4\nz = 3"),
      "x = 1\ny = 4\nz = 3\n",
    );
  });

  it("keeps omitted parts of a branch, an element, or an object", () => {
    const branch = "if (a) {\n  b();\n  c();\n} else {\n  d();\n}\n";
    assert.equal(placed(branch, "if (a) {\n  // ...\n} else {\n  e();\n}"), branch.replace("d()", "e()"));
    const page = "<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n";
    assert.equal(
      placed(page, "<ul>\n  <!-- existing items -->\n  <li>b!</li>\n</ul>"),
      page.replace("b<", "b!<"),
    );
    const json = '{\n  "a": 1,\n  "b": {\n    "c": 2\n  },\n  "d": 3\n}\n';
    assert.equal(placed(json, '{\n  // ...\n  "b": {\n    "c": 5\n  }\n  // ...\n}'), json.replace("2", "5"));
    assert.equal(placed(json, '{\n  // ...\n  "e": 5\n}'), json.replace("3\n", '3,\n  "e": 5\n'));
  });

  it("doesn't take the end of a shell's case branch for a mark", () => {
    const shell = "case $1 in\n  one) a ;;\n  *) c ;;\nesac\n";
    const code = "case $1 in\n  one) a ;;\n  two) b ;;\n  *) c ;;\nesac";
    assert.equal(placed(`a() {\n  x\n}\n\n${shell}`, code), `a() {\n  x\n}\n\n${code}\n`);
  });

  it("doesn't take a comment for a mark if the file has the same comment", () => {
    const text = "a = 1\n# ... and so on, see the manual ...\nb = 2\nc = 3\nd = 4\n";
    assert.equal(placed(text, text.replace("b = 2", "b = 22")), text.replace("b = 2", "b = 22"));
    const told = "f() {\n  // ... first as the manual has it ...\n  a();\n  b();\n  return c;\n}\n";
    assert.equal(placed(told, told.replace("  a();\n", "")), told.replace("  a();\n", ""));
    assert.equal(
      placed(text, "a = 1\n# ... and so on, see the manual ...\nb = 22"),
      text.replace("b = 2", "b = 22"),
    );
  });

  it("inserts new functions and imports next to the omitted parts", () => {
    const fresh = "function four() {\n  return 4;\n}";
    assert.equal(placed(functions, `// ... existing code ...\n\n${fresh}`), `${functions}\n${fresh}\n`);
    const text = "class A {\n  one() {\n    return 1;\n  }\n}\n";
    assert.equal(
      placed(text, "class A {\n  // ... existing methods\n\n  two() {\n    return 2;\n  }\n}"),
      "class A {\n  one() {\n    return 1;\n  }\n\n  two() {\n    return 2;\n  }\n}\n",
    );
    assert.equal(
      placed(`import a from "a";\n\n${functions}`, 'import b from "b";\n\n// ... rest of the file'),
      `import a from "a";\nimport b from "b";\n\n${functions}`,
    );
  });

  it("inserts new code after the mark and replaces only a nearly equal line", () => {
    const text =
      "class A:\n    def __init__(self):\n        self.a = []\n\n    def stop(self):\n        self.a.clear()\n";
    const fresh = "    def stop(self):\n        # ... existing code ...\n        self.b.clear()";
    assert.equal(placed(text, fresh), `${text}        self.b.clear()\n`);
    assert.equal(
      placed(text, "class A:\n    # ...\n\n    def start(self):\n        self.b = 1"),
      `${text}\n    def start(self):\n        self.b = 1\n`,
    );
    const steps = "steps:\n  - run: npm ci\n  - run: npm test\n";
    assert.equal(placed(steps, "steps:\n  # ...\n  - run: npm run lint"), `${steps}  - run: npm run lint\n`);
    assert.equal(
      placed(steps, "steps:\n  # ...\n  - run: npm test --all"),
      steps.replace("npm test", "npm test --all"),
    );
    const cases = "switch (a) {\n  case 'b':\n    return 1;\n  default:\n    return 2;\n}\n";
    assert.equal(
      placed(cases, "switch (a) {\n  // ...\n  case 'c':\n    return 3;\n  default:\n    return 2;\n}"),
      cases.replace("  default", "  case 'c':\n    return 3;\n  default"),
    );
    const call = "function f() {\n  // ...\n  set({ a: 1 });\n  // ...\n}";
    assert.equal(placed("function f() {\n  return 1;\n}\n", call), "unsure");
  });

  it("is inserted before the next TOML heading, and gets the comma that JSON needs", () => {
    const toml = '[a]\nx = "1"\n\n[b]\ny = "2"\n';
    assert.equal(placed(toml, '[a]\n# ...\nz = "3"'), toml.replace('"1"\n', '"1"\nz = "3"\n'));
    assert.equal(placed(toml, '[b]\n# ...\nz = "3"'), `${toml}z = "3"\n`);
    const json = '{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n';
    assert.equal(
      placed(json, '{\n  "a": {\n    // ...\n    "d": 3\n  }\n  // ...\n}'),
      json.replace("1\n", '1,\n    "d": 3\n'),
    );
  });

  it("changes nothing if the place of the omitted parts is unclear", () => {
    const unsure = [
      "first();\n// ... existing code ...\nlast();",
      "function other() {\n  // ... existing code ...\n}",
      "function two(a) {\n  // ...\n  log(a);\n  // ...\n}",
      "function two(a) {\n  // ... existing code ...\n  log(a);\n}",
      "function newOne() { /* ... */ }",
      "    x();\n  }\n  // ...\n  function two(b) {",
    ];
    for (const code of unsure) {
      assert.deepEqual(placeSnippet(functions, code, 0), { kind: "unsure", text: functions }, code);
    }
    assert.equal(placed("", "// ... existing code ...\nfirst();"), "unsure");
    assert.equal(
      placed("", "class A(Protocol):\n    def b(self):\n        ..."),
      "class A(Protocol):\n    def b(self):\n        ...\n",
    );
    assert.equal(placed(functions, "// ... existing code ..."), functions);
  });

  it("is placed in time linear in the sizes of the file and the block", () => {
    const texts: Readonly<Record<string, (count: number) => readonly [file: string, code: string]>> = {
      "like lines with marks": (count) => [
        "x = 1\n".repeat(4 * count),
        "x = 1\n# ...\nx = 3\n".repeat(count),
      ],
      "steps that go in": (count) => {
        const steps = Array.from({ length: Math.sqrt(count) * 4 }, (_, at) => `${" ".repeat(at)}if (a) {`);
        return [steps.join("\n"), "if (a) {\n  // ...\n  b();\n}"];
      },
      "marks in lines": (count) => ["f() {\n  a();\n}\n".repeat(count), "f() { /* ... */ }\n".repeat(150)],
      "functions of one name": (count) => [
        "def f(a):\n    b()\n".repeat(count),
        "def f(c):\n    d()\n# ...\n".repeat(count),
      ],
      "new functions between marks": (count) => [
        "x = 1\n".repeat(count),
        Array.from({ length: count }, (_, at) => `def f${at}():\n    a()\n# ...\n`).join("x = 1\n"),
      ],
      "names that are nowhere": (count) => [
        "x = 1\n".repeat(count),
        Array.from({ length: count }, (_, at) => `z${at} = 1`).join("\n"),
      ],
    };
    for (const [name, create] of Object.entries(texts)) {
      const timeOf = (count: number): number => {
        const [text, code] = create(count);
        return processorTime(() => placeSnippet(text, code, 0));
      };
      timeOf(500);
      const [small, large] = [timeOf(2000), timeOf(16_000)];
      assert.ok(large < 24 * Math.max(small, 10), `${name}: ${small} ms, ${large} ms`);
    }
  });
});
