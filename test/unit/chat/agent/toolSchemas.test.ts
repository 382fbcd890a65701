import assert from "node:assert/strict";
import {
  describeListed,
  findArgumentFaults,
  hashTool,
  offeredName,
} from "../../../../src/chat/agent/otherTools.ts";

const tool = {
  name: "a",
  description: "b",
  schema: { type: "object", properties: { c: { type: "string" } } },
};

describe("the hash of a tool", () => {
  it("differs when the name, the description or the schema differs, and not when keys are in another order", () => {
    const changed = [
      { ...tool, name: "ab", description: "" },
      { ...tool, name: "", description: "ab" },
      { ...tool, schema: { ...tool.schema, additionalProperties: false } },
    ];
    assert.equal(new Set([tool, ...changed].map(hashTool)).size, 4);
    const { type, properties } = tool.schema;
    assert.equal(hashTool({ ...tool, schema: { properties, type } }), hashTool(tool));
    assert.match(hashTool(tool), /^[\da-f]{64}$/);
  });
});

describe("the offered name of a tool", () => {
  it("is its own name if services accept it", () => {
    assert.equal(offeredName("mcp_notes_add-1", new Set()), "mcp_notes_add-1");
  });

  it("is safe, short and unique for any other name", () => {
    const names = ["read_file", "a.b", "a b", "ä", "", "x".repeat(65), `${"x".repeat(65)}y`];
    const offered = names.map((name) => offeredName(name, new Set(["read_file"])));
    assert.equal(new Set(offered).size, names.length);
    for (const name of offered) assert.match(name, /^[\w-]{1,64}$/);
    assert.notEqual(offered[0], "read_file");
  });
});

describe("an offered tool", () => {
  it("has the schema of an object, as services require", () => {
    assert.deepEqual(describeListed({ ...tool, schema: {} }, "a").schema, { type: "object", properties: {} });
  });
});

describe("the faults of arguments", () => {
  const schema = {
    type: "object",
    properties: { text: { type: "string" }, count: { type: "integer", minimum: 1 } },
    required: ["text"],
    additionalProperties: false,
  };

  it("are none if the arguments fit", () => {
    assert.equal(findArgumentFaults(schema, { text: "", count: 1 }), undefined);
    assert.equal(findArgumentFaults({}, { any: "thing" }), undefined);
  });

  it("name the place and the reason", () => {
    assert.match(findArgumentFaults(schema, { text: 1 }) ?? "", /\/text: Instance type "number" is invalid/);
    assert.match(findArgumentFaults(schema, { text: "", count: 0 }) ?? "", /\/count: 0 is less than 1/);
    assert.match(findArgumentFaults(schema, {}) ?? "", /required property "text"/);
  });

  it("follow the draft that the schema names", () => {
    const items = { properties: { a: { items: [{ type: "string" }] } } };
    const draft7 = { ...items, $schema: "http://json-schema.org/draft-07/schema#" };
    assert.notEqual(findArgumentFaults(draft7, { a: [1] }), undefined);
  });

  it("say that a schema cannot be used, also if it would take for ever", () => {
    const cannot = /^The schema of the tool cannot be used: /;
    assert.match(findArgumentFaults({ $ref: "https://elsewhere.example/a" }, {}) ?? "", cannot);
    assert.match(findArgumentFaults({ properties: { a: { pattern: "(" } } }, { a: "" }) ?? "", cannot);
    const slow = { properties: { a: { pattern: "^(a+)+$" } } };
    assert.match(findArgumentFaults(slow, { a: `${"a".repeat(40)}!` }) ?? "", cannot);
  });
});
