import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isReserved,
  readRequestFields,
  requestFieldLimits,
  requestFieldsOf,
  type RequestFieldProblem,
} from "../../../../src/connection/setup/requestFields.ts";
import { fakeKey } from "../../service/fixture.ts";

const fieldsOf = (entry: unknown, model = "service-core") =>
  requestFieldsOf(readRequestFields({ "*": entry }), model);
const problemsOf = (setting: unknown): readonly RequestFieldProblem["kind"][] =>
  readRequestFields(setting).problems.map(({ kind }) => kind);

const never = [
  "model messages system tools tool_choice stream stream_options n max_tokens max_completion_tokens",
  "max_output_tokens max_tokens_to_sample max_new_tokens num_predict n_predict max_length",
  "min_tokens functions function_call extra_body",
].flatMap((line) => line.split(" "));

/** A name in another spelling: case, camel case, separators, prefixes, wide letters, and invisible ones. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", ""),
  (name) => name.replaceAll("_", "."),
  (name) => `x-${name}`,
  (name) => `X_${name.toUpperCase()}`,
  (name) => `extra_body.${name}`,
  (name) => `openai.${name}`,
  (name) => `body/${name}`,
  (name) => name.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
];

describe("readRequestFields", () => {
  it("reads the fields of a model before those of all models, and null as not sent", () => {
    const setting = { "*": { temperature: 0.2, top_p: 0.9 }, "service-core": { temperature: null, seed: 7 } };
    const reading = readRequestFields(setting);
    assert.deepEqual(reading.problems, []);
    assert.deepEqual(requestFieldsOf(reading, "service-core"), { top_p: 0.9, seed: 7 });
    assert.deepEqual(requestFieldsOf(reading, "other"), { temperature: 0.2, top_p: 0.9 });
    assert.deepEqual(requestFieldsOf(readRequestFields(undefined), "other"), {});
    for (const name of ["toString", "constructor", "__proto__"])
      assert.deepEqual(requestFieldsOf(reading, name), { temperature: 0.2, top_p: 0.9 }, name);
  });

  it("takes common sampling fields", () => {
    const taken = [
      "temperature top_p top_k min_p typical_p seed stop stop_sequences logprobs frequency_penalty",
      "presence_penalty repetition_penalty repeat_last_n logit_bias user reasoning_effort",
      "thinking service_tier response_format parallel_tool_calls provider top_logprobs stop_token_ids",
      "skip_special_tokens chat_template_kwargs top_n_sigma metadata draft_model reasoning_format",
      "verbosity no_repeat_ngram_size",
    ].flatMap((line) => line.split(" "));
    assert.deepEqual(taken.filter(isReserved), []);
    const format = { type: "json_schema", json_schema: { schema: { properties: { max_tokens: {} } } } };
    assert.deepEqual(fieldsOf({ response_format: format }), { response_format: format });
    const thinking = { type: "enabled", budget_tokens: 2048 };
    assert.deepEqual(fieldsOf({ thinking }), { thinking });
  });

  it("never takes a field that the request sets, in any spelling", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...never),
        fc.array(fc.constantFrom(...spellings), { maxLength: 3 }),
        fc.jsonValue(),
        (name, changes, value) => {
          const spelled = changes.reduce((changed, spell) => spell(changed), name);
          const { problems } = readRequestFields({ "*": { [spelled]: value, seed: 1 } });
          assert.deepEqual(fieldsOf({ [spelled]: value, seed: 1 }), { seed: 1 }, spelled);
          assert.equal(problems.length, 1);
        },
      ),
    );
  });

  it("refuses token limits inside other fields", () => {
    for (const value of [{ num_predict: 9 }, [{ maxOutputTokens: 9 }], { a: { max_tokens: 9 } }])
      assert.deepEqual(problemsOf({ "*": { options: value } }), ["reserved"]);
  });

  it("refuses names inside other fields that the request sets, and names their place", () => {
    const values = {
      parameters: { n: 4 },
      options: [{ Stream: false }],
      generationConfig: { inner: { systemInstruction: "x" } },
      fallbacks: [{ model: "other" }],
      custom: { "x-model": "other" },
    };
    const { problems } = readRequestFields({ "*": values });
    assert.deepEqual(
      problems.map((problem) => (problem.kind === "reserved" ? problem.field : problem.kind)),
      [
        "parameters.n",
        "options.Stream",
        "generationConfig.inner.systemInstruction",
        "fallbacks.model",
        "custom.x-model",
      ],
    );
    const taken = {
      parameters: { top_k: 3, response_schema: { properties: { prompt: {}, tools: {} } } },
      provider: { order: ["a"], max_price: { prompt: 1, completion: 2 } },
      logit_bias: { n: -100 },
      metadata: { model: "mine" },
      chat_template_kwargs: { enable_thinking: false },
    };
    assert.deepEqual(fieldsOf(taken), taken);
  });

  it("refuses fields that add tools of the service", () => {
    for (const name of [
      "mcp_servers",
      "plugins",
      "web_search_options",
      "x-mcpServers",
      "search_parameters",
      "enable_search",
      "search_options",
      "web_search",
    ]) {
      assert.deepEqual(problemsOf({ "*": { [name]: [] } }), ["service-tools"], name);
      assert.deepEqual(problemsOf({ "*": { options: { [name]: [] } } }), ["service-tools"], name);
    }
  });

  it("takes a name in another script", () => {
    assert.deepEqual(fieldsOf({ 温度: 1 }), { 温度: 1 });
  });

  it("refuses what is not an object, not JSON, nested too deep, or too large", () => {
    for (const setting of [[], "x", 3, true]) assert.deepEqual(problemsOf(setting), ["not-an-object"]);
    for (const entry of [[], "x", 3, null]) assert.deepEqual(problemsOf({ "*": entry }), ["entry"]);
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    let deep: unknown = 1;
    for (let level = 0; level <= requestFieldLimits.nesting; level += 1) deep = [deep];
    for (const value of [
      undefined,
      () => 1,
      Symbol("s"),
      1n,
      Number.NaN,
      Infinity,
      new Date(),
      circular,
      deep,
    ])
      assert.deepEqual(problemsOf({ "*": { seed: value } }), ["value"], typeof value);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`field_${index}`, 1]));
    assert.deepEqual(problemsOf({ "*": many }), ["entry-too-large"]);
    assert.deepEqual(problemsOf({ "*": { user: "x".repeat(40_000) } }), ["entry-too-large"]);
    for (const name of ["", " seed", "se\u200bed", "a".repeat(101), "a\nb"])
      assert.deepEqual(problemsOf({ "*": { [name]: 1 } }), ["name"], JSON.stringify(name));
    assert.deepEqual(problemsOf(JSON.parse('{"*":{"__proto__":{"a":1}}}')), ["name"]);
  });

  it("refuses names and values that look like a key, and never repeats the key", () => {
    const key = fakeKey("in-the-settings");
    const settings = [
      { "*": { api_key: "x" } },
      { "*": { Authorization: "x" } },
      { "*": { user: key } },
      { "*": { metadata: { note: `Bearer ${key}` } } },
      { "*": { metadata: { apiKey: "x" } } },
      { "*": { [key]: 1 } },
    ];
    for (const setting of settings) {
      const { problems, entries } = readRequestFields(setting);
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ["secret"],
      );
      assert.ok(!JSON.stringify([problems, [...entries]]).includes(key));
    }
    assert.ok(!JSON.stringify(readRequestFields({ [key]: 3 }).problems).includes(key));
  });

  it("reads any JSON without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (setting) => {
        const reading = readRequestFields(setting);
        assert.ok(typeof JSON.stringify(requestFieldsOf(reading, "m")) === "string");
      }),
    );
  });
});
