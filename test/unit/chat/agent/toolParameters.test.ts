import assert from "node:assert/strict";
import fc from "fast-check";
import {
  describeTool,
  type Parameters,
  readArguments,
  ToolArgumentError,
} from "../../../../src/chat/agent/toolParameters.ts";
import { readToolArguments } from "../../../../src/protocol/conversation/toolCalls.ts";

const parameters = {
  path: { type: "string", description: "A path.", aliases: ["filePath", "file"] },
  line: { type: "integer", description: "A line.", isOptional: true },
  whole: { type: "boolean", description: "All of it.", isOptional: true },
  names: { type: "strings", description: "Names.", isOptional: true, aliases: ["name"] },
} satisfies Parameters;

const take = (given: unknown) => readArguments(parameters, readToolArguments(given));

describe("the arguments of a tool", () => {
  it("are described by a strict schema", () => {
    assert.deepEqual(describeTool("read_it", "Reads it.", parameters), {
      name: "read_it",
      description: "Reads it.",
      schema: {
        type: "object",
        properties: {
          path: { type: "string", description: "A path." },
          line: { type: "integer", description: "A line." },
          whole: { type: "boolean", description: "All of it." },
          names: { type: "array", items: { type: "string" }, description: "Names." },
        },
        required: ["path"],
        additionalProperties: false,
      },
    });
  });

  const readings: readonly (readonly [title: string, given: object, expected: object])[] = [
    [
      "as they are described",
      { path: "a", line: 3, whole: true, names: ["x", "y"] },
      { path: "a", line: 3, whole: true, names: ["x", "y"] },
    ],
    ["by other names", { filePath: "a", name: ["x"] }, { path: "a", names: ["x"] }],
    ["by their own name before another", { file: "b", path: "a" }, { path: "a" }],
    ["by another name if their own is null", { path: null, file: "b" }, { path: "b" }],
    ["without those that are null", { path: "a", line: null, whole: null }, { path: "a" }],
    ["without names that no parameter has", { path: "a", explanation: "because", lines: 3 }, { path: "a" }],
    ["with numbers as text", { path: "a", line: " 12 " }, { path: "a", line: 12 }],
    ["with negative numbers", { path: "a", line: -1 }, { path: "a", line: -1 }],
    ["with true and false as text", { path: "a", whole: "false" }, { path: "a", whole: false }],
    ["with one text for a list", { path: "a", names: "x" }, { path: "a", names: ["x"] }],
    [
      "with texts as they are",
      { path: String.raw` a\nb&amp;%20 `, names: '["x"]' },
      { path: String.raw` a\nb&amp;%20 `, names: ['["x"]'] },
    ],
    ["with an empty text and an empty list", { path: "", names: [] }, { path: "", names: [] }],
  ];
  for (const [title, given, expected] of readings) {
    it(`are read ${title}`, () => {
      assert.deepEqual(take(given), expected);
    });
  }

  const faults: readonly (readonly [given: unknown, message: string])[] = [
    [{}, 'The argument "path" is missing.'],
    ["", 'The argument "path" is missing.'],
    [{ path: null }, 'The argument "path" is missing.'],
    [{ path: 5 }, 'The argument "path" must be a string.'],
    [{ file: ["a"] }, 'The argument "path" must be a string.'],
    [{ path: "a", line: 1.5 }, 'The argument "line" must be an integer.'],
    [{ path: "a", line: "" }, 'The argument "line" must be an integer.'],
    [{ path: "a", line: "two" }, 'The argument "line" must be an integer.'],
    [{ path: "a", line: "Infinity" }, 'The argument "line" must be an integer.'],
    [{ path: "a", line: 2 ** 60 }, 'The argument "line" must be an integer.'],
    [{ path: "a", whole: 1 }, 'The argument "whole" must be true or false.'],
    [{ path: "a", whole: "yes" }, 'The argument "whole" must be true or false.'],
    [{ path: "a", names: ["x", 1] }, 'The argument "names" must be a list of strings.'],
    [{ path: "a", names: { x: 1 } }, 'The argument "names" must be a list of strings.'],
    ['{"path": "a"', "The arguments are not a JSON object."],
    ["[]", "The arguments are not a JSON object."],
    [7, "The arguments are not a JSON object."],
  ];
  for (const [given, message] of faults) {
    it(`are refused as ${JSON.stringify(given)}`, () => {
      assert.throws(() => take(given), { name: "ToolArgumentError", message });
    });
  }

  it("are refused if they are nested too deep", () => {
    assert.throws(() => take(`${'{"a":'.repeat(100)}{}${"}".repeat(100)}`), {
      name: "ToolArgumentError",
      message: "The arguments are nested more than 100 levels deep.",
    });
  });

  it("are read or refused, whatever they are", () => {
    const names = fc.constantFrom("path", "filePath", "line", "whole", "names", "__proto__", "toString");
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (given) => {
        try {
          const { path, line, whole, names: list } = take(given);
          assert.equal(typeof path, "string");
          assert.ok(line === undefined || Number.isSafeInteger(line));
          assert.ok(whole === undefined || typeof whole === "boolean");
          assert.ok(list === undefined || list.every((each) => typeof each === "string"));
        } catch (error) {
          assert.ok(error instanceof ToolArgumentError, String(error));
        }
      }),
    );
  });
});
