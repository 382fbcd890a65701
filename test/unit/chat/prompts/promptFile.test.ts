import assert from "node:assert/strict";
import { readFrontMatter } from "../../../../src/text/frontMatter.ts";
import { type PromptFile, readPromptFile } from "../../../../src/chat/prompts/promptFile.ts";

function read(text: string, fileName = "make-form.prompt.md"): PromptFile {
  const file = readPromptFile(fileName, text);
  if ("reason" in file) assert.fail(`${file.reason} in line ${file.line}`);
  return file;
}

describe("readPromptFile", () => {
  it("reads the known fields and lists the ignored ones", () => {
    const file = read(
      [
        "---",
        "# a remark",
        "name: Make Form",
        "description: 'It''s a form' # said twice",
        'argument-hint: "formName=\\"A\\""',
        "agent: agent",
        "model: some-model",
        "tools: ['search', 'edit']",
        "handoffs:",
        "  - label: Next",
        "    agent: other",
        "---",
        "",
        "Make a form.",
      ].join("\r\n"),
    );
    assert.deepEqual(file, {
      name: "Make-Form",
      description: "It's a form",
      argumentHint: 'formName="A"',
      ignored: ["agent", "model", "tools", "handoffs"],
      body: "Make a form.",
    });
  });

  it("reads a file without front matter as body and takes the name from the file name", () => {
    const file = read("Say it.\n\n---\n\nAgain.");
    assert.equal(file.name, "make-form");
    assert.equal(file.body, "Say it.\n\n---\n\nAgain.");
  });

  it("folds a value that continues on indented lines", () => {
    assert.equal(read("---\ndescription: >-\n  One\n  two\n---\n").description, "One two");
  });

  it("doesn't read an anchor, a map, or a list as text", () => {
    const file = read("---\ndescription: &a [x]\nname: {a: b}\n---\nx");
    assert.deepEqual([file.description, file.name], ["", "make-form"]);
  });

  const broken: readonly (readonly [string, string, object])[] = [
    ["unclosed front matter", "---\nname: x\nSay it.", { line: 1, reason: "unclosed" }],
    ["overlong front matter", `---\n${"a: b\n".repeat(500)}---\n`, { line: 1, reason: "too-long" }],
    ["a line that is no field", "---\nname: x\n%%%\n---\n", { line: 3, reason: "not-a-field" }],
    ["an open quote", "---\ndescription: 'open\n---\n", { line: 2, reason: "open-quote" }],
  ];
  for (const [what, text, problem] of broken) {
    it(`reports the line and the reason of ${what}`, () => assert.deepEqual(readFrontMatter(text), problem));
  }

  it("stays fast on hostile text", () => {
    for (const unit of ["- ", "a: &a [*a,*a]\n", "'", '"\\', "---\n", "x: '''"]) {
      readPromptFile("x.prompt.md", `---\n${unit.repeat(20_000)}\n---\n`);
    }
  });
});
