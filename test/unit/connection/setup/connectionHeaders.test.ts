import assert from "node:assert/strict";
import fc from "fast-check";
import type { HeaderProblem } from "../../../../src/client/failure/failure.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { readConnections, requireHeaders } from "../../../../src/connection/setup/connection.ts";
import {
  headersEntry,
  problemOfSecretValue,
  readHeaders,
} from "../../../../src/connection/setup/connectionHeaders.ts";
import { describeHeaderProblem } from "../../../../src/connection/setup/inputTexts.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { fakeKey } from "../../service/fixture.ts";

function problemOf(headers: unknown): HeaderProblem | undefined {
  return readHeaders(headers).faulty?.problem;
}

const uuid = ["1b4e28ba", "2fa1", "11d2", "883f", "0016d3cca427"].join("-");

describe("readHeaders", () => {
  it("reads texts and the names of environment variables", () => {
    const written = {
      "x-portkey-provider": "openai",
      "X-Title": "My team's chat",
      "x-portkey-config": '{"retry":{"attempts":3}}',
      "Helicone-Auth": { variable: "HELICONE_API_KEY", scheme: "Bearer" },
      "x-team-token": { variable: "TEAM_TOKEN" },
    };
    const { headers, faulty } = readHeaders(written);
    assert.equal(faulty, undefined);
    assert.deepEqual(
      headers.map(({ name }) => name),
      Object.keys(written),
    );
    assert.deepEqual(headersEntry(headers), written);
    assert.deepEqual(readHeaders(undefined), { headers: [] });
    assert.deepEqual(readHeaders({}), { headers: [] });
  });

  it("refuses headers for logins, for the connection, for the body, and those that requests set", () => {
    const names =
      "Authorization PROXY-Authorization cookie Set-Cookie x-api-key Api-Key host Content-Length content-type " +
      "transfer-encoding Connection keep-alive te trailer upgrade proxy-connection sec-fetch-mode accept " +
      "accept-encoding user-agent anthropic-version expect forwarded X-Forwarded-Host x-forwarded-for " +
      "x-original-host x-original-url x-http-method-override";
    for (const name of names.split(" ")) {
      assert.equal(problemOf({ [name]: "x" }), "reserved", name);
      assert.equal(problemOf({ [name]: { variable: "NAME" } }), "reserved", name);
    }
  });

  it("refuses a name that is no token, is set twice, or looks like a key", () => {
    for (const name of ["", "a b", "a:b", "a\r\nb", "naïve", "(x)", "x".repeat(101)])
      assert.equal(problemOf({ [name]: "x" }), "name", JSON.stringify(name));
    assert.equal(problemOf({ "X-Team": "a", "x-team": "b" }), "duplicate");
    const canary = ["sk", "live", "canary0123456789"].join("-");
    assert.deepEqual(readHeaders({ "x-a": "b", [canary]: "x" }).faulty, { header: "#2", problem: "name" });
  });

  it("refuses values with other characters, of other types, or too many", () => {
    for (const value of ["", " ", "a\nb", "a\r\nx-b: c", "é", "a  b", "tab\there", "\u0000"])
      assert.equal(problemOf({ "x-a": value }), "characters", JSON.stringify(value));
    for (const value of [5, true, null, [], {}, { variable: 5 }, { variable: "A", other: 1 }])
      assert.equal(problemOf({ "x-a": value }), "value", JSON.stringify(value));
    assert.equal(problemOf({ "x-a": { variable: "A", scheme: "a b" } }), "value");
    assert.equal(problemOf({ "x-a": "x ".repeat(1001).trim() }), "too-long");
    assert.equal(
      problemOf(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, "a"]))),
      "too-many",
    );
    for (const headers of [5, "x: y", [], null]) assert.equal(problemOf(headers), "not-an-object");
  });

  it("asks for a variable if a value looks like a secret, by its form or by the name", () => {
    for (const value of [
      fakeKey("in-a-header"),
      ["Bearer", "abc"].join(" "),
      `Basic ${btoa("me:password")}`,
      uuid,
      `{"api_key":"${fakeKey("json")}"}`,
      "https://me:password@h.example",
      ["eyJhbGciOiJIUzI1NiJ9", "e30", "x"].join("."),
      '{"provider":"openai","api_key":"abc-def-123"}',
      '{"target": {"authToken" : "abc"}}',
      "{'password': 'abc'}",
      "Key: hunter2-correct-horse",
      "region=eu; token=abc",
    ])
      assert.equal(problemOf({ "x-a": value }), "secret", value);
    for (const name of [
      "x-portkey-api-key",
      "Helicone-Auth",
      "cf-access-client-secret",
      "X-Team-Token",
      "xapikey",
      "XApiKey",
      "x-token-v2",
      "x-tokenv2",
      "x-auth-token-2",
      "x-secret-id",
      "x-key-id",
    ])
      assert.equal(problemOf({ [name]: "plain" }), "secret", name);
    for (const name of [
      "x-portkey-provider",
      "X-Title",
      "HTTP-Referer",
      "x-author",
      "x-keyboard",
      "x-token-type",
      "x-tokens",
    ])
      assert.equal(problemOf({ [name]: "plain" }), undefined, name);
    for (const value of [
      '{"provider":"openai"}',
      '{"max_tokens":5,"auth":true,"key":{"ttl":60}}',
      "Team: chat",
    ])
      assert.equal(problemOf({ "x-a": value }), undefined, value);
    for (const name of ["x-virtual-key-name", "x-portkey-config"])
      assert.equal(problemOf({ [name]: { variable: "NAME" } }), undefined, name);
    assert.equal(problemOf({ "x-model": "claude-3-5-sonnet-20241022" }), undefined);
  });

  it("accepts only names of variables, also without a reference", () => {
    for (const variable of ["$NAME", "${NAME}", "1A", "", fakeKey("as-a-variable-0123456789")])
      assert.equal(problemOf({ "x-a": { variable } }), "variable-name", variable);
  });

  it("keeps the sound headers beside a faulty one, so that their secrets are still searched for", () => {
    const { headers, faulty } = readHeaders({ host: "x", "x-a": { variable: "SECRET" } });
    assert.deepEqual([headers.length, faulty?.header], [1, "host"]);
  });

  it("never throws, and repeats no value", () => {
    fc.assert(fc.property(fc.anything(), (headers) => void readHeaders(headers)));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ minLength: 12 })), (headers) => {
        const { headers: read, faulty } = readHeaders(headers);
        for (const { value } of read) assert.ok(value.kind === "text" && /^[\x20-\x7e]+$/.test(value.text));
        if (faulty !== undefined) assert.match(faulty.header, /^[\x21-\x7e]{1,100}$/);
      }),
    );
  });

  it("reads a header with the name of a property that all objects have", () => {
    const written: unknown = JSON.parse('{ "__proto__": "a", "constructor": "b" }');
    const { headers } = readHeaders(written);
    assert.deepEqual(headers.map(({ name }) => name).sort(), ["__proto__", "constructor"]);
    assert.deepEqual(Object.entries(headersEntry(headers)).length, 2);
  });
});

describe("a connection with a faulty header", () => {
  it("stays in the list, is reported with the header's name, and can't be used", () => {
    const { connections, problems } = readConnections([
      { name: "Acme", baseUrl: "https://h.example", headers: { "x-a": "b", Host: "x" } },
    ]);
    assert.deepEqual(problems, [{ kind: "header", name: "Acme", header: "Host", problem: "reserved" }]);
    const [connection] = connections;
    assert.ok(connection !== undefined);
    assert.throws(
      () => requireHeaders(connection),
      (error) => error instanceof InferenceError && error.cause === "invalid-header",
    );
  });

  it("is described with the header's name and what to do", () => {
    const t = createTranslate();
    const secret = describeHeaderProblem("secret", "x-a", undefined, t);
    assert.match(secret, /header x-a looks like a secret.*\{"variable": "NAME"\}/);
    assert.match(describeHeaderProblem("variable-empty", "x-a", "TEAM", t), /TEAM for the header x-a/);
  });
});

describe("the value of a header's variable", () => {
  it("is visible ASCII without spaces, and long enough to be found in texts", () => {
    const values: Readonly<Record<string, HeaderProblem | undefined>> = {
      "": "variable-empty",
      short: "variable-short",
      "two words here": "variable-value",
      "line\nbreak": "variable-value",
      [uuid]: undefined,
      ["x".repeat(2001)]: "variable-value",
    };
    for (const [value, problem] of Object.entries(values))
      assert.equal(problemOfSecretValue(value), problem, value);
  });
});
