import assert from "node:assert/strict";
import fc from "fast-check";
import { chooseProxy, type ProxySettings } from "../../../../src/client/transport/proxyChoice.ts";

/** The proxy's host, `direct`, or `unusable`. */
function chosen(url: string, settings: ProxySettings): string {
  const choice = chooseProxy(new URL(url), settings);
  return choice.kind === "proxy" ? choice.url.host : choice.kind;
}

describe("chooseProxy", () => {
  const proxy = "http://proxy.example:3128";
  const cases: readonly (readonly [string, string, ProxySettings, string])[] = [
    ["nothing set", "https://h.example", {}, "direct"],
    ["the setting", "https://h.example", { proxy }, "proxy.example:3128"],
    ["a proxy without a scheme", "https://h.example", { proxy: "proxy.example:8" }, "proxy.example:8"],
    ["this machine by name", "http://localhost:1", { proxy }, "direct"],
    ["this machine by IPv4", "http://127.0.0.1:1", { proxy }, "direct"],
    ["this machine by IPv6", "http://[::1]:1", { proxy }, "direct"],
    [
      "the setting before the environment",
      "https://h.example",
      { proxy, environment: { https_proxy: "http://e" } },
      "proxy.example:3128",
    ],
    [
      "the environment",
      "https://h.example",
      { environment: { HTTPS_PROXY: "http://e.example:8" } },
      "e.example:8",
    ],
    [
      "http_proxy for https",
      "https://h.example",
      { environment: { http_proxy: "http://e.example:8" } },
      "e.example:8",
    ],
    [
      "https_proxy, which http ignores",
      "http://h.example",
      { environment: { https_proxy: "http://e.example" } },
      "direct",
    ],
    ["an empty environment variable", "https://h.example", { environment: { https_proxy: "" } }, "direct"],
    [
      "an exception in the environment",
      "https://h.example",
      { proxy, environment: { no_proxy: "a,h.example" } },
      "direct",
    ],
    [
      "exceptions in the setting before those in the environment",
      "https://h.example",
      { proxy, noProxy: ["a"], environment: { no_proxy: "h.example" } },
      "proxy.example:3128",
    ],
    ["an exception for all hosts", "https://h.example", { proxy, noProxy: ["*"] }, "direct"],
    ["an exception with a trailing dot", "https://h.example", { proxy, noProxy: ["h.example."] }, "direct"],
    ["a host with a trailing dot", "https://h.example.", { proxy, noProxy: ["h.example"] }, "direct"],
    ["a domain", "https://a.h.example", { proxy, noProxy: ["h.example"] }, "direct"],
    ["a domain with a star", "https://a.h.example", { proxy, noProxy: ["*.H.example"] }, "direct"],
    ["a domain with a dot", "https://a.h.example", { proxy, noProxy: [".h.example"] }, "direct"],
    [
      "another host with the same suffix",
      "https://ah.example",
      { proxy, noProxy: ["h.example"] },
      "proxy.example:3128",
    ],
    ["the port", "https://h.example", { proxy, noProxy: ["h.example:443"] }, "direct"],
    ["another port", "https://h.example", { proxy, noProxy: ["h.example:444"] }, "proxy.example:3128"],
    ["a range", "https://10.1.2.3", { proxy, noProxy: ["10.0.0.0/8"] }, "direct"],
    [
      "an address outside a range",
      "https://11.1.2.3",
      { proxy, noProxy: ["10.0.0.0/8"] },
      "proxy.example:3128",
    ],
    ["an IPv6 range", "https://[fd00::1]", { proxy, noProxy: ["fd00::/8"] }, "direct"],
    ["an IPv6 address", "https://[fd00::1]", { proxy, noProxy: ["fd00::1"] }, "direct"],
    ["SOCKS", "https://h.example", { proxy: "socks5://proxy.example" }, "unusable"],
    ["an invalid URL", "https://h.example", { proxy: "http://" }, "unusable"],
  ];
  for (const [name, url, settings, expected] of cases) {
    it(`handles ${name}`, () => assert.equal(chosen(url, settings), expected));
  }

  it("takes the login out of the URL, and prefers the login of the setting", () => {
    const url = new URL("https://h.example");
    const withLogin = { proxy: "http://me:a%20b%25@proxy.example" };
    const expected = `Basic ${Buffer.from("me:a b%").toString("base64")}`;
    const choice = chooseProxy(url, withLogin);
    assert.ok(choice.kind === "proxy");
    assert.equal(choice.authorization, expected);
    assert.ok(!choice.url.href.includes("me"));
    const own = chooseProxy(url, { ...withLogin, proxyAuthorization: "Basic x" });
    assert.ok(own.kind === "proxy" && own.authorization === "Basic x");
  });

  it("never throws for any setting", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, entry) => {
        chooseProxy(new URL("https://h.example"), { proxy: text, noProxy: [entry] });
      }),
    );
  });
});
