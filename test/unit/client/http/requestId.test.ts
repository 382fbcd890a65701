import assert from "node:assert/strict";
import { readRequestId } from "../../../../src/client/http/requestId.ts";

describe("readRequestId", () => {
  it("takes the most specific header, then the body, then the network in front", () => {
    const headers = { "cf-ray": "ray", "request-id": "b", "x-request-id": "a" };
    assert.equal(readRequestId(headers, "body"), "a");
    assert.equal(readRequestId({ "cf-ray": "ray", "apim-request-id": "c" }, "body"), "c");
    assert.equal(readRequestId({ "cf-ray": "ray" }, "body"), "body");
    assert.equal(readRequestId({ "cf-ray": "ray" }), "ray");
    assert.equal(readRequestId({}), undefined);
  });

  it("takes nothing that could not be shown", () => {
    assert.equal(readRequestId({ "x-request-id": "a\u202Eb", "request-id": " b " }), "b");
    assert.equal(readRequestId({ "x-request-id": "x".repeat(500) }, ""), undefined);
  });
});
