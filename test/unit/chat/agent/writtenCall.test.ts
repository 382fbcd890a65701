import assert from "node:assert/strict";
import { hasWrittenCall } from "../../../../src/chat/agent/loopGuard.ts";
import { endsInTime } from "../../text/endsInTime.ts";

const tools = ["read_file", "search_text"];

describe("a tool call that is written as text", () => {
  const written: Readonly<Record<string, string>> = {
    "an element": '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>',
    "an element with its name in an attribute": '<invoke name="read_file"><parameter name="path">a.ts',
    "an element named after the tool": "I look.\n<read_file>\n<path>a.ts</path>\n</read_file>",
    "a mark of a model's template": "<|tool_calls_begin|>read_file<|tool_sep|>{}",
    "another mark of a template": '[TOOL_CALLS] [{"name": "search_text", "arguments": {}}]',
    "a JSON object": ' {"name": "search_text", "arguments": {"query": "a"}}\n',
    "a JSON object in a code block":
      'I read it:\n```json\n{"tool": "read_file", "path": "a.ts"}\n```\nThen I answer.',
    "a list in a code block without a language":
      '```\n[{"type": "function", "function": {"name": "read_file"}}]\n```',
    "a code block after another one": '```ts\nconst a = 1;\n```\n```json\n{"name": "read_file"}\n```',
  };
  for (const [title, text] of Object.entries(written)) {
    it(`is noticed as ${title}`, () => {
      assert.equal(hasWrittenCall(text, tools), true);
    });
  }

  const others: Readonly<Record<string, string>> = {
    "a text that names a tool": "I used read_file to look at a.ts, and search_text found nothing.",
    "code that calls a function of this name": '```ts\nread_file("a.ts");\n```',
    "JSON with another name": '```json\n{"name": "package", "scripts": {"read_file": "cat"}}\n```',
    "JSON that is not complete": '{"name": "read_file", "arguments": {',
    "a call of a tool that does not exist": '<tool_call>{"name": "delete_all"}</tool_call>',
    "an empty text": "",
  };
  for (const [title, text] of Object.entries(others)) {
    it(`is not noticed in ${title}`, () => {
      assert.equal(hasWrittenCall(text, tools), false);
    });
  }

  it("is looked for only if there are tools", () => {
    assert.equal(hasWrittenCall('{"name": "read_file"}', []), false);
  });

  it("is looked for in hostile texts in time, and without an error", () => {
    assert.ok(
      endsInTime(
        "src/chat/agent/loopGuard.ts",
        `for (const text of ["[".repeat(50_000) + '"read_file"' + "]".repeat(50_000), "\`\`\`x\\n".repeat(200_000) + "read_file",
          "\`\`\`".repeat(300_000) + "read_file", "<".repeat(1_000_000) + "read_file", "read_file<|tool_call".repeat(100_000)])
          if (its.hasWrittenCall(text, ["read_file"])) throw new Error(text.slice(0, 20));`,
      ),
    );
  });
});
