import assert from "node:assert/strict";
import { readFrontMatter } from "../../../../src/text/frontMatter.ts";
import { type PromptFile, readPromptFile } from "../../../../src/chat/prompts/promptFile.ts";

function read(text: string, fileName = "make-form.prompt.md"): PromptFile {
  const file = readPromptFile(fileName, text);
  if ("reason" in file) assert.fail(`${file.reason} in line ${file.line}`);
  return file;
}

describe("readPromptFile", () => {
  it("reads what the convention says of a prompt, and names what means nothing here", () => {
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

  it("takes a file without a head for all prompt, and names it by its file", () => {
    const file = read("Say it.\n\n---\n\nAgain.");
    assert.equal(file.name, "make-form");
    assert.equal(file.body, "Say it.\n\n---\n\nAgain.");
  });

  it("folds a text that goes on in deeper lines", () => {
    assert.equal(read("---\ndescription: >-\n  One\n  two\n---\n").description, "One two");
  });

  it("takes no anchor, map or list for a text", () => {
    const file = read("---\ndescription: &a [x]\nname: {a: b}\n---\nx");
    assert.deepEqual([file.description, file.name], ["", "make-form"]);
  });

  const broken: readonly (readonly [string, string, object])[] = [
    ["a head that does not end", "---\nname: x\nSay it.", { line: 1, reason: "unclosed" }],
    ["a head without end", `---\n${"a: b\n".repeat(500)}---\n`, { line: 1, reason: "too-long" }],
    ["a line that is no field", "---\nname: x\n%%%\n---\n", { line: 3, reason: "not-a-field" }],
    ["an open quote", "---\ndescription: 'open\n---\n", { line: 2, reason: "open-quote" }],
  ];
  for (const [what, text, problem] of broken) {
    it(`says where ${what} is`, () => assert.deepEqual(readFrontMatter(text), problem));
  }

  it("is quick with what is made to be slow", () => {
    for (const unit of ["- ", "a: &a [*a,*a]\n", "'", '"\\', "---\n", "x: '''"]) {
      readPromptFile("x.prompt.md", `---\n${unit.repeat(20_000)}\n---\n`);
    }
  });
});
