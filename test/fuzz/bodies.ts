import fc from "fast-check";
import { cutBodies } from "./cutBodies.ts";
import { damagedJson } from "./damagedJson.ts";
import { jsonTexts } from "./hostileTexts.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bodies that services send: errors in the formats of several vendors, and model lists. */
const samples: readonly unknown[] = [
  {
    error: { message: "Unknown field: tools[0]", type: "invalid_request_error", param: "tools", code: "x1" },
  },
  { type: "error", error: { type: "rate_limit_error", message: "Slow down" }, request_id: "req_1" },
  { detail: [{ loc: ["body", "max_tokens"], msg: "extra fields not permitted", type: "value_error" }] },
  { error: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "34.4s" }] } },
  { error: "Not Found" },
  { errors: [{ message: "The budget of this key is spent" }] },
  { object: "list", data: [{ id: "one", owned_by: "me", max_model_len: 8192 }, { id: "two" }] },
  { models: [{ name: "one" }, "two"], has_more: true, last_id: "two", meta: { n_ctx: 4096 } },
];

const pages = fc.constantFrom(
  "<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
  "<html><title>Sign in</title><form action=/login></form>",
  "upstream connect error or disconnect/reset before headers",
  "error code: 1020",
  "",
);

/** Whole bodies: valid, damaged, truncated, HTML pages, event streams, or arbitrary bytes. */
export const bodies: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: jsonTexts.map(encode) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...samples)
      .chain((sample) => damagedJson(sample, jsonTexts))
      .map(encode),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...samples), fc.nat(200))
      .map(([sample, length]) => encode(JSON.stringify(sample)).subarray(0, length)),
  },
  { weight: 1, arbitrary: pages.map(encode) },
  { weight: 1, arbitrary: cutBodies.map(({ whole }) => whole) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);
