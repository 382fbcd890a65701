import assert from "node:assert/strict";
import { readRequestId } from "../../../../src/client/http/requestId.ts";

describe("readRequestId", () => {
  it("prefers the most specific header, then the body, then the CDN's header", () => {
    const headers = { "cf-ray": "ray", "request-id": "b", "x-request-id": "a" };
    assert.equal(readRequestId(headers, "body"), "a");
    assert.equal(readRequestId({ "cf-ray": "ray", "apim-request-id": "c" }, "body"), "c");
    assert.equal(readRequestId({ "cf-ray": "ray" }, "body"), "body");
    assert.equal(readRequestId({ "cf-ray": "ray" }), "ray");
    assert.equal(readRequestId({}), undefined);
  });

  it("ignores an ID that can't be shown", () => {
    assert.equal(readRequestId({ "x-request-id": "a\u202Eb", "request-id": " b " }), "b");
    assert.equal(readRequestId({ "x-request-id": "x".repeat(500) }, ""), undefined);
  });
});
