import assert from "node:assert/strict";
import { homedir } from "node:os";
import * as fc from "fast-check";
import { formatSupportReport, type SupportFacts } from "../../../../src/connection/check/supportReport.ts";
import { fakeKey } from "../../service/fixture.ts";

const canary = fakeKey("support");
const login = ["proxy-user", "proxy-password"].join(":");

function facts(more: Partial<SupportFacts> = {}): SupportFacts {
  return {
    at: new Date("2026-01-02T03:04:05Z"),
    model: "service-core",
    clientStyle: "messages",
    origin: "https://service.example",
    versions: { extension: "0.1.0", editor: "Editor 1.139.1", node: "v24.1.0", system: "linux 6.1 x64" },
    route: { transport: "undici", proxy: "proxy.example:8080", anyCertificate: false },
    systemCertificates: true,
    strictCertificates: true,
    transportSetting: "auto",
    ...more,
  };
}

function call(path: string, requestId: string): NonNullable<SupportFacts["subject"]> {
  const at = new Date("2026-01-02T03:04:04Z");
  return { kind: "call", call: { at, method: "POST", path, status: 401, milliseconds: 12.4, requestId } };
}

describe("formatSupportReport", () => {
  it("contains the time, model, request ID, steps, versions, and transport", () => {
    const text = formatSupportReport(
      facts({
        subject: {
          kind: "check",
          at: "2026-01-02T03:04:05.000Z",
          ok: false,
          steps: [
            {
              id: "models",
              ok: true,
              ms: 10.4,
              status: 200,
              requestId: "req_7002b33a6e0849a48e88465888868451",
            },
            { id: "completion", ok: false, ms: 5, status: 401, cause: "invalid-key" },
            { id: "message", ok: false, skipped: true, ms: 0 },
          ],
        },
      }),
    );
    for (const expected of [
      "2026-01-02T03:04:05.000Z not passed",
      "models       ok, 10 ms, status 200, request ID req_7002b33a6e0849a48e88465888868451",
      "completion   invalid-key, 5 ms, status 401",
      "message      skipped",
      "service-core",
      "messages",
      "https://service.example",
      "Editor 1.139.1",
      "v24.1.0",
      "undici (setting auto)",
      "proxy.example:8080",
      "System CAs:    yes",
    ])
      assert.ok(text.includes(expected), `${expected} in\n${text}`);
  });

  it("works if nothing was sent yet", () => {
    const { model: _model, origin: _origin, route: _way, ...rest } = facts();
    const text = formatSupportReport(rest);
    assert.match(text, /none in this window/);
    assert.match(text, /not used yet/);
  });

  it("redacts the key, login, and paths in any field", () => {
    const home = `${homedir()}/.config/inference`;
    const hostile = [
      canary,
      `Bearer ${canary}`,
      `http://${login}@proxy.example:8080`,
      home,
      "/home/jo/secret.txt",
    ];
    for (const bad of hostile) {
      const text = formatSupportReport(
        facts({
          model: `model ${bad}`,
          clientStyle: bad,
          origin: `https://${login}@service.example/${encodeURIComponent(bad)}?key=${canary}`,
          subject: call(`/clients/${canary}/v1/messages`, bad),
          route: { transport: "undici", proxy: bad, anyCertificate: false },
          versions: { extension: bad, editor: bad, node: bad, system: bad },
          transportSetting: bad,
        }),
        [canary],
      );
      for (const secret of [canary, "proxy-user", "proxy-password", homedir(), "/home/jo"])
        assert.ok(!text.includes(secret), `${bad}:\n${text}`);
      assert.match(text, /POST \/v1\/messages/);
    }
  });

  it("redacts an unknown key by its form", () => {
    const key = ["sk", "0123456789abcdefABCDEF"].join("-");
    const text = formatSupportReport(facts({ model: key, subject: call("/v1/messages", key) }));
    assert.ok(!text.includes("0123456789abcdef"), text);
  });

  it("redacts a given key without a known form in a request ID", () => {
    const odd = ["plain", "odd", "canary"].join(".");
    assert.ok(
      !formatSupportReport(facts({ subject: call("/v1/messages", `id.${odd}`) }), [odd]).includes(odd),
    );
  });

  it("keeps every field on its own line", () => {
    const lines = formatSupportReport(facts({ subject: call("/v1/messages", "id") })).split("\n").length;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (any) => {
        const text = formatSupportReport(
          facts({ model: any, subject: call("/v1/messages", any), transportSetting: any }),
          [canary],
        );
        assert.equal(text.split(/[\n\r\u2028\u2029]/).length, lines);
      }),
    );
  });
});
