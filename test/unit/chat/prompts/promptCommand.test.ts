import assert from "node:assert/strict";
import {
  fillPrompt,
  promptInputs,
  promptVariables,
  readPromptArguments,
  readPromptCommand,
  findByName,
  settleNames,
} from "../../../../src/chat/prompts/promptCommand.ts";
import { promptLinks } from "../../../../src/chat/prompts/promptFile.ts";

describe("readPromptCommand", () => {
  it("reads a name at the beginning and the text after it", () => {
    assert.deepEqual(readPromptCommand("/fix"), { name: "fix", rest: "" });
    assert.deepEqual(readPromptCommand("/fix  the\nlast line "), { name: "fix", rest: "the\nlast line" });
  });

  for (const text of ["/etc/hosts is what?", " /fix", "a /fix", "/", "//", "/(x)"]) {
    it(`returns undefined for ${JSON.stringify(text)}`, () =>
      assert.equal(readPromptCommand(text), undefined));
  }
});

describe("a prompt's variables", () => {
  const body =
    "Make ${input:name:Name of the form} in ${input:place} for ${selection}, ${input:name}, ${other}";

  it("are found", () => {
    assert.deepEqual(promptInputs(body), [
      { name: "name", placeholder: "Name of the form" },
      { name: "place", placeholder: "" },
    ]);
    assert.deepEqual([...promptVariables(body)], ["selection", "other"]);
  });

  it("are filled in once, without replacing variables in the values", () => {
    const inputs = new Map([
      ["name", "${selection} $& $1"],
      ["place", "x"],
    ]);
    const filled = fillPrompt(body, inputs, new Map([["selection", "${input:name}"]]));
    assert.equal(filled, "Make ${selection} $& $1 in x for ${input:name}, ${selection} $& $1, ${other}");
  });

  it("get their values from typed arguments", () => {
    const inputs = promptInputs(body);
    assert.deepEqual(readPromptArguments(`name="two words" place='a b' and more x=y`, inputs), {
      values: new Map([
        ["name", "two words"],
        ["place", "a b"],
      ]),
      rest: "and more x=y",
    });
  });

  it("get the whole typed text if there is only one input", () => {
    const [first] = promptInputs(body);
    assert.ok(first);
    assert.deepEqual(readPromptArguments("My Form", [first]), {
      values: new Map([["name", "My Form"]]),
      rest: "",
    });
    assert.deepEqual(readPromptArguments("", [first]), { values: new Map(), rest: "" });
  });
});

describe("promptLinks", () => {
  it("finds links to files, but no web links, anchors, or links in code", () => {
    const body = [
      "See [a](../a.md), [b](<b c.md> 'title'), [again](../a.md#part) and [d](./d%20e.md?x).",
      "[web](https://host.example/x) [mail](mailto:x@host.example) [here](#here) [share](//host/x)",
      "```",
      "[code](code.md)",
      "```",
      "[up](../../../etc/passwd) [root](/etc/passwd)",
    ].join("\n");
    assert.deepEqual(promptLinks(body), [
      "../a.md",
      "b c.md",
      "./d e.md",
      "../../../etc/passwd",
      "/etc/passwd",
    ]);
  });

  it("returns at most 30 links and stays fast on hostile text", () => {
    assert.equal(
      promptLinks("[x](a.md)\n".concat(...Array.from({ length: 500 }, (_, i) => `[x](${i}.md)`))).length,
      30,
    );
    for (const unit of ["](", "](<", "](a", "`", "${"]) {
      const text = unit.repeat(30_000);
      promptLinks(text);
      promptInputs(text);
      readPromptCommand(text);
      readPromptArguments(text, [{ name: "a", placeholder: "" }]);
    }
  });
});

interface Found {
  readonly kind: "prompt" | "problem";
  readonly name: string;
  readonly file: string;
}

const refused: string[] = [];

function settle(...prompts: readonly Found[]): readonly Found[] {
  refused.length = 0;
  return settleNames(prompts, (prompt, first) => {
    refused.push(`${prompt.file} for ${first.file}`);
    return { ...prompt, kind: "problem" };
  });
}

const form: Found = { kind: "prompt", name: "form", file: "a" };
const again: Found = { ...form, file: "b" };
const broken: Found = { ...form, kind: "problem", file: "broken" };

describe("prompt files with the same name", () => {
  it("give the name to the first file and report each later one as a problem", () => {
    const other: Found = { ...form, name: "other", file: "c" };
    const settled = settle(form, again, other, { ...form, file: "d" });
    assert.deepEqual(
      settled.map(({ kind }) => kind),
      ["prompt", "problem", "prompt", "problem"],
    );
    assert.deepEqual(refused, ["b for a", "d for a"]);
    assert.equal(findByName(settled, "form"), form);
    assert.equal(findByName(settled, "other"), other);
  });

  it("give the name to a usable file rather than to a broken one", () => {
    const settled = settle(broken, again);
    assert.deepEqual(settled, [broken, again]);
    assert.deepEqual(refused, []);
    assert.equal(findByName(settled, "form"), again);
  });

  it("give the name to the first broken file if no file is usable", () => {
    assert.equal(findByName(settle(broken, { ...broken, file: "too" }), "form"), broken);
    assert.equal(findByName(settle(form), "nothing"), undefined);
  });
});
