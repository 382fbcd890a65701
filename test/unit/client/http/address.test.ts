import assert from "node:assert/strict";
import fc from "fast-check";
import {
  endpointOf,
  isLoopback,
  readAddress,
  type AddressReading,
} from "../../../../src/client/http/address.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";

function base(reading: AddressReading): string {
  assert.equal(reading.kind, "address");
  return reading.kind === "address" ? reading.address.base : "";
}

function problem(text: string, allowHttp = false): string {
  const reading = readAddress(text, allowHttp);
  return reading.kind === "problem" ? reading.problem : `address ${reading.address.base}`;
}

describe("readAddress", () => {
  const pasted = [
    "https://h.example",
    "https://h.example/",
    "https://h.example/v1",
    "https://h.example/v1/",
    "https://h.example/v1/chat/completions",
    "https://h.example/v1/messages",
    "https://h.example/v1/models/",
    "https://h.example/v1/v1",
    "  https://h.example/v1 \n",
    "HTTPS://H.Example/V1",
    "https://h.example:443/v1",
  ];
  for (const text of pasted) {
    it(`reads ${JSON.stringify(text)} as https://h.example`, () => {
      assert.equal(base(readAddress(text)), "https://h.example");
    });
  }

  it("returns the URLs of both client styles", () => {
    const reading = readAddress("https://h.example/v1");
    assert.ok(reading.kind === "address");
    assert.equal(reading.address.modelsUrl.href, "https://h.example/v1/models");
    assert.equal(
      endpointOf(reading.address, "chat-completions").href,
      "https://h.example/v1/chat/completions",
    );
    assert.equal(endpointOf(reading.address, "messages").href, "https://h.example/v1/messages");
  });

  it("keeps a gateway's path before /v1, and the port", () => {
    assert.equal(base(readAddress("https://h.example:8443/team-a/v1/")), "https://h.example:8443/team-a");
  });

  it("accepts HTTP only for this machine unless the user allowed it", () => {
    assert.equal(base(readAddress("http://127.0.0.1:8080/v1")), "http://127.0.0.1:8080");
    assert.equal(base(readAddress("http://[::1]:8080")), "http://[::1]:8080");
    assert.equal(problem("http://h.example"), "insecure");
    assert.equal(problem("http://127.0.0.1.evil.example"), "insecure");
    assert.equal(problem("http://localhost.evil.example"), "insecure");
    assert.equal(base(readAddress("http://h.example", true)), "http://h.example");
  });

  it("suggests a corrected base URL", () => {
    assert.deepEqual(readAddress("h.example/v1"), {
      kind: "problem",
      problem: "no-scheme",
      suggestion: "https://h.example/v1",
    });
    assert.deepEqual(readAddress("localhost:8080"), {
      kind: "problem",
      problem: "no-scheme",
      suggestion: "http://localhost:8080",
    });
    assert.deepEqual(readAddress("http://h.example/v1"), {
      kind: "problem",
      problem: "insecure",
      suggestion: "https://h.example",
    });
  });

  it("rejects an invalid base URL and names the problem", () => {
    assert.equal(problem(""), "empty");
    assert.equal(problem("  "), "empty");
    assert.equal(problem("ftp://h.example"), "other-scheme");
    assert.equal(problem("https://user:secret@h.example"), "credentials");
    assert.equal(problem("user:secret@h.example"), "credentials");
    assert.equal(problem("https://h.example/v1?key=1"), "query");
    assert.equal(problem("https://"), "not-an-address");
    assert.equal(problem("not an address"), "not-an-address");
  });

  it("suggests nothing for a pasted key, because a suggestion would repeat it", () => {
    const key = ["sk", "test", "canary", "0123456789"].join("-");
    assert.deepEqual(readAddress(key), { kind: "problem", problem: "not-an-address" });
  });

  it("never returns a user name or password", () => {
    for (const text of [
      "https://user:canary@h.example",
      "user:canary@h.example",
      "http://user:canary@h.example/v1",
    ]) {
      assert.doesNotMatch(JSON.stringify(readAddress(text)), /canary/);
    }
  });

  it("never returns a user name, password, query, or fragment of any URL", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/).map((text) => `canary${text}`);
    const shapes: readonly ((secret: string, host: string) => string)[] = [
      (secret, host) => `https://${secret}@${host}/v1`,
      (secret, host) => `https://me:${secret}@${host}`,
      (secret, host) => `${secret}:x@${host}`,
      (secret, host) => `https://${host}/v1?key=${secret}`,
      (secret, host) => `http://${host}/v1#${secret}`,
    ];
    fc.assert(
      fc.property(
        word,
        fc.domain(),
        fc.constantFrom(...shapes),
        fc.boolean(),
        (secret, host, shape, allow) => {
          const told = JSON.stringify(readAddress(shape(secret, host), allow)).toLowerCase();
          assert.ok(!told.includes(secret.toLowerCase()), told);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("returns only URLs of the same origin, whatever the path", () => {
    const path = fc.array(fc.constantFrom("v1", "..", "//", "/", "\\", "@", "models", "%2f", "a b", ":80"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.domain(), path, (host, steps) => {
        const reading = readAddress(`https://${host}/${steps.join("/")}`);
        if (reading.kind === "problem") return;
        const { address } = reading;
        assert.equal(address.origin, `https://${host}`);
        const endpoints = clientStyles.map((style) => endpointOf(address, style));
        for (const url of [address.modelsUrl, ...endpoints]) assert.equal(url.origin, address.origin);
      }),
      { numRuns: 500 },
    );
  });

  it("never throws, and reads an accepted base URL as itself", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), fc.boolean(), (text, allowHttp) => {
        const reading = readAddress(text, allowHttp);
        if (reading.kind === "problem") return;
        assert.equal(base(readAddress(reading.address.base, allowHttp)), reading.address.base);
        assert.ok(reading.address.modelsUrl.origin === reading.address.origin);
      }),
    );
  });
});

describe("isLoopback", () => {
  it("accepts only names and addresses of this machine", () => {
    for (const host of ["localhost", "api.localhost", "127.0.0.1", "127.8.9.1", "[::1]"])
      assert.ok(isLoopback(host), host);
    for (const host of ["0.0.0.0", "10.0.0.1", "localhost.example", "128.0.0.1", "[::2]"])
      assert.ok(!isLoopback(host), host);
  });
});
