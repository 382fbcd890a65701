import assert from "node:assert/strict";
import fc from "fast-check";
import { readErrorBody, isErrorBody } from "../../../../src/protocol/decode/errorBody.ts";

describe("readErrorBody", () => {
  const cases: readonly (readonly [string, unknown, object])[] = [
    [
      "an object",
      { error: { message: "No", type: "t_x", code: "c_x", param: "p" } },
      { message: "No", type: "t_x", code: "c_x", param: "p" },
    ],
    ["a string", { error: "No" }, { message: "No" }],
    ["a word beside a sentence", { error: "bad_thing", message: "No" }, { message: "No", code: "bad_thing" }],
    ["true", { error: true, message: "No" }, { message: "No" }],
    [
      "nested twice",
      { error: { error: { message: "No", code: 402 }, code: 402 } },
      { message: "No", code: "402", status: 402 },
    ],
    ["a detail", { detail: "No" }, { message: "No" }],
    ["a detail object", { detail: { error: "No" } }, { message: "No" }],
    [
      "a list of validation errors",
      { detail: [{ loc: ["body", "model"], msg: "required" }] },
      { message: "model: required", param: "model" },
    ],
    [
      "a location with invalid steps",
      { detail: [{ loc: ["body", "stop", 0, { toString: "" }, [["x"]], null], msg: "too long" }] },
      { message: "stop.0: too long", param: "stop.0" },
    ],
    [
      "a list of errors",
      { success: false, errors: [{ code: 7003, message: "No" }] },
      { message: "No", code: "7003" },
    ],
    ["a message object", { message: { detail: [{ msg: "No" }] } }, { message: "No" }],
    ["flat", { code: "BadThing", message: "No" }, { message: "No", code: "BadThing" }],
    [
      "JSON in a string",
      { error: { message: '{"error":{"message":"No","status":"EXHAUSTED"}}' } },
      { message: "No", type: "EXHAUSTED" },
    ],
    ["a text", "No", { message: "No" }],
    ["an empty message", { error: { message: "", type: "t_x" } }, { type: "t_x" }],
    [
      "words that mean no value",
      { type: "error", error: { type: "None", param: "None", code: null, message: "No" } },
      { message: "No" },
    ],
    ["a status in the code", { code: 40301, message: "No" }, { message: "No", code: "40301", status: 403 }],
    [
      "a status in the parameter",
      { error: { message: "No", param: "524" } },
      { message: "No", param: "524", status: 524 },
    ],
    [
      "a provider's own words",
      {
        error: { message: "Provider returned error", code: 429, metadata: { raw: '{"error":"Slow down"}' } },
      },
      { message: "Slow down", code: "429", status: 429 },
    ],
    ["nothing", {}, {}],
    ["null", null, {}],
  ];
  for (const [name, body, expected] of cases) {
    it(`reads an error: ${name}`, () => assert.deepEqual(readErrorBody(body), expected));
  }

  it("finds the request ID in a field, in parentheses at the end, and in a sentence", () => {
    assert.equal(
      readErrorBody({ error: { message: "No" }, request_id: "r-12345678" }).requestId,
      "r-12345678",
    );
    assert.deepEqual(readErrorBody({ error: { message: "No (request id: 20250101)" } }), {
      message: "No",
      requestId: "20250101",
    });
    assert.equal(readErrorBody("No.\nrequest_id: req_12345678").requestId, "req_12345678");
    assert.equal(readErrorBody("The request ID header is missing").requestId, undefined);
  });

  it("finds the retry delay", () => {
    const details = [{ "@type": "x" }, { retryDelay: "1.5s" }];
    assert.equal(readErrorBody({ error: { message: "No", details } }).retryAfterMs, 1500);
  });

  it("accepts any JSON and text without throwing", () => {
    const shapes = fc.oneof(fc.jsonValue({ maxDepth: 8 }), fc.string(), fc.json());
    fc.assert(fc.property(shapes, (value) => void readErrorBody(value)));
    const names = fc.constantFrom(
      "error",
      "message",
      "detail",
      "errors",
      "metadata",
      "code",
      "details",
      "raw",
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(names, tie("node"), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(fc.property(tree, (value) => void readErrorBody(value)));
  });
});

describe("isErrorBody", () => {
  it("recognizes errors with a success status", () => {
    const errors = [
      { error: { message: "x" } },
      { error: "x" },
      { error: true },
      { type: "error", error: {} },
      { object: "error", message: "x" },
      { detail: "x" },
      { errors: [{ message: "x" }] },
      { success: false },
      { code: "Odd", message: "x" },
      { error_code: 50001, text: "x" },
      [{ error: { message: "x" } }],
    ];
    for (const body of errors) assert.equal(isErrorBody(body), true, JSON.stringify(body));
  });

  it("does not treat an answer, a list, or a greeting as an error", () => {
    const others = [
      { choices: [], error: null },
      { type: "message", content: [] },
      { data: [], error: {} },
      { message: "Welcome" },
      {},
      [],
      null,
      "x",
    ];
    for (const body of others) assert.equal(isErrorBody(body), false, JSON.stringify(body));
  });
});
