import assert from "node:assert/strict";
import fc from "fast-check";
import { maxModels, readModelList } from "../../../../src/protocol/decode/modelList.ts";

const idsOf = (body: unknown): readonly string[] | undefined =>
  readModelList(body)?.models.map((model) => model.id);

const takes = (entry: object): boolean | undefined =>
  readModelList([{ id: "a", ...entry }])?.models[0]?.takesEffort;

describe("readModelList", () => {
  for (const [name, body] of Object.entries({
    "an object with data": { object: "list", data: [{ id: "a" }, { id: "team/b" }] },
    "a bare list": [{ id: "a" }, { id: "team/b" }],
    "a list of names": { models: [{ name: "a" }, { name: "team/b" }] },
    "a list of ids": { data: ["a", "team/b"] },
    "both lists": { models: [{ name: "x" }], data: [{ id: "a" }, { id: "team/b" }] },
    "data that is null beside models": { data: null, models: [{ name: "a" }, { name: "team/b" }] },
    "a list within data": { code: 0, data: { data: [{ id: "a" }, { id: "team/b" }] } },
    "models within data": { success: true, data: { models: ["a", "team/b"] } },
    "names of models": { data: [{ model_name: "a" }, { model_name: "team/b" }] },
    duplicates: { data: [{ id: "a" }, { id: "a" }, { id: "team/b" }] },
    "ids that are no strings": {
      data: [{ id: { name: "x" } }, { id: 7, name: "y" }, null, { id: "a" }, { id: "team/b" }],
    },
  })) {
    it(`reads ${name}`, () => assert.deepEqual(idsOf(body), ["a", "team/b"]));
  }

  it("returns an empty page for an empty list and null for other bodies", () => {
    assert.deepEqual(readModelList({ data: null }), { models: [], next: null });
    assert.deepEqual(readModelList({ data: [] }), { models: [], next: null });
    for (const body of [{}, { error: "x" }, null, "x", 7, undefined]) assert.equal(readModelList(body), null);
  });

  it("reads the name, owner, and limits of a model from various fields", () => {
    const full = { id: "a", display_name: "A", owned_by: "o", max_model_len: 10, max_output_tokens: 5 };
    assert.deepEqual(readModelList([full])?.models, [
      { id: "a", name: "A", contextWindow: 10, maxOutputTokens: 5, ownedBy: "o" },
    ]);
    const windows = [
      { meta: { n_ctx: 9 } },
      { max_input_tokens: 9 },
      { context_length: 9 },
      { max_model_len: 0, context_window: 9 },
      { capabilities: { limits: { max_context_window_tokens: 9 } } },
      { limit: { context: 9, output: 3 } },
      { context_length: "9" },
      { loaded_context_length: 9, max_context_length: 90 },
      { metadata: { context_length: 9 } },
      { token_limits: { context_window: 9, max_input_token_length: 8 } },
      { context_window: { context_length: 9 } },
      { model_spec: { availableContextTokens: 9 } },
      { capabilities: { limits: { max_prompt_tokens: 9 } } },
      { contextWindow: 9 },
    ];
    for (const entry of windows) {
      assert.equal(readModelList([{ id: "a", ...entry }])?.models[0]?.contextWindow, 9);
    }
  });

  it("reads the output limit from various fields", () => {
    for (const entry of [
      { max_output_length: 5 },
      { maxOutputTokens: "5" },
      { token_limits: { max_output_token_length: 5 } },
    ])
      assert.equal(readModelList([{ id: "a", ...entry }])?.models[0]?.maxOutputTokens, 5);
  });

  it("uses the first of two entries with the same ID", () => {
    const page = readModelList([{ id: "a", owned_by: "o" }, { id: "a" }]);
    assert.deepEqual(page?.models, [{ id: "a", ownedBy: "o" }]);
  });

  it("limits the number of models and drops names that are too long", () => {
    const many = Array.from({ length: maxModels + 10 }, (_, number) => `model-${number}`);
    assert.deepEqual(idsOf(many), many.slice(0, maxModels));
    const [fits, long] = ["x".repeat(200), "x".repeat(201)];
    const entries = [long, { id: long }, { name: long }, fits, { id: "a", name: long, owned_by: long }];
    assert.deepEqual(readModelList(entries)?.models, [{ id: fits }, { id: "a" }]);
  });

  it("returns the next page's cursor, or null if there is none", () => {
    assert.equal(readModelList({ data: [{ id: "a" }], has_more: true, last_id: "a" })?.next, "a");
    assert.equal(readModelList({ data: [], has_more: true, last_id: null })?.next, null);
    assert.equal(readModelList({ data: [{ id: "a" }], has_more: false, last_id: "a" })?.next, null);
  });

  it("accepts any JSON and returns only known fields of an entry", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        readModelList(value);
        const page = readModelList({ data: [{ id: "a", api_key: value }] });
        assert.deepEqual(page?.models, [{ id: "a" }]);
      }),
    );
  });

  it("reads whether a model takes an effort from its parameters, capabilities, and features", () => {
    const says = [
      { supported_parameters: ["tools", "reasoning_effort"] },
      { supported_parameters: ["reasoning"] },
      { capabilities: ["completion", "thinking"] },
      { capabilities: { reasoning: true } },
      { capabilities: { supports: { reasoning_effort: ["low", "high"] } } },
      { capabilities: { thinking: { supported: true, types: {} } } },
      { features: ["reasoning"] },
      { supports_reasoning: true },
      { model_info: { supports_reasoning: true } },
    ];
    const silent = [
      {},
      { supported_parameters: ["tools", 3, null] },
      {
        capabilities: {
          reasoning: false,
          thinking: { supported: false },
          supports: { reasoning_effort: [] },
        },
      },
      { capabilities: "reasoning", supports_reasoning: "yes", features: { reasoning: 1 } },
    ];
    for (const entry of says) assert.equal(takes(entry), true, JSON.stringify(entry));
    for (const entry of silent) assert.equal(takes(entry), undefined, JSON.stringify(entry));
  });
});
