import assert from "node:assert/strict";
import type { ConnectionFacts } from "../../../../src/client/transport/connectionRecorder.ts";
import type { Route } from "../../../../src/client/http/transport.ts";
import {
  expiryWarning,
  networkText,
  readNetworkFacts,
} from "../../../../src/connection/check/networkFacts.ts";
import { createTranslate } from "../../../../src/text/translate.ts";

const t = createTranslate();
const own: Route = { transport: "undici", anyCertificate: false };
const now = new Date("2026-01-01T00:00:00Z");

function seen(validTo: string, matchesHost = true): ConnectionFacts {
  return {
    lookup: { ms: 3.4, addresses: 2, families: [6, 4] },
    connectMs: 12.6,
    tls: {
      ms: 20,
      protocol: "TLSv1.3",
      certificate: {
        subject: "service.example",
        issuer: "Authority",
        validFrom: "2025-01-01T00:00:00.000Z",
        validTo,
        matchesHost,
      },
    },
  };
}

function warned(validTo: string): boolean {
  return expiryWarning(readNetworkFacts(own, seen(validTo), now), t) !== undefined;
}

describe("networkText", () => {
  it("writes each fact on its own line", () => {
    const facts = readNetworkFacts(own, seen("2026-03-02T00:00:00.000Z"), now);
    assert.deepEqual(networkText(own, facts, t).split("\n"), [
      "Inference Chat sends the requests without a proxy",
      "Name lookup: 3 ms, 2 addresses (IPv6, IPv4)",
      "Connected in 13 ms",
      "TLSv1.3, secured in 20 ms",
      "Certificate issued to service.example",
      "Issued by Authority",
      "Valid until 2026-03-02 (days left: 60)",
    ]);
  });

  it("states that VS Code's fetch reports no facts, even if undici recorded some", () => {
    const route: Route = { transport: "editor", anyCertificate: false };
    const facts = readNetworkFacts(route, seen("2026-03-02T00:00:00.000Z"), now);
    assert.deepEqual(facts, { transport: "editor" });
    assert.match(networkText(route, facts, t), /VS Code doesn't report details of the name lookup/);
  });

  it("states which setting turns off the verification of certificates", () => {
    const ways = [
      ["undici", /not verified because of http\.proxyStrictSSL\)/],
      ["editor", /not verified because of NODE_TLS_REJECT_UNAUTHORIZED\)/],
    ] as const;
    for (const [transport, said] of ways) {
      const route: Route = { transport, anyCertificate: true };
      assert.match(networkText(route, readNetworkFacts(route, {}, now), t), said);
    }
  });

  it("states the problems of a certificate", () => {
    const facts = readNetworkFacts(own, seen("2021-01-01T00:00:00.000Z", false), now);
    const text = networkText(own, facts, t);
    assert.match(text, /Certificate issued to service\.example, which doesn't match this host/);
    assert.match(text, /Expired on 2021-01-01/);
  });

  it("warns only in the last 14 days before expiration", () => {
    assert.deepEqual(
      [
        "2026-01-15T00:00:00.000Z",
        "2026-01-14T23:00:00.000Z",
        "2026-01-01T00:00:01.000Z",
        "2025-12-01T00:00:00.000Z",
      ].map(warned),
      [false, true, true, false],
    );
  });
});
