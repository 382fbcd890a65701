import assert from "node:assert/strict";
import fc from "fast-check";
import { type LinkReading, readConnectLink } from "../../../../src/connection/setup/connectLink.ts";
import { fakeKey } from "../../service/fixture.ts";

function read(link: string): LinkReading {
  const [beforeFragment = "", ...fragments] = link.split("#");
  const [path = "", ...queries] = beforeFragment.split("?");
  return readConnectLink({ path, query: queries.join("?"), fragment: fragments.join("#") });
}

function problemOf(link: string): string {
  const reading = read(link);
  return reading.kind === "problem" ? reading.problem : "none";
}

const good = "/connect?name=Acme Inc&baseUrl=https://api.host.example/v1&style=messages";

describe("readConnectLink", () => {
  it("reads the name, base URL, and client style", () => {
    const reading = read(good);
    assert.ok(reading.kind === "proposal");
    const { name, address, clientStyle } = reading.proposal;
    assert.deepEqual([name, address.base, clientStyle], ["Acme Inc", "https://api.host.example", "messages"]);
  });

  it("leaves the client style to the user if the link has none", () => {
    const reading = read("/connect/?baseUrl=http://127.0.0.1:4000&name=Here");
    assert.ok(reading.kind === "proposal");
    assert.equal(reading.proposal.clientStyle, undefined);
  });

  it("shows a host in other scripts as Punycode", () => {
    const reading = read("/connect?name=a&baseUrl=https://аpi.host.example");
    assert.ok(reading.kind === "proposal");
    assert.match(reading.proposal.address.base, /^https:\/\/xn--/);
  });

  const refused: readonly (readonly [string, string])[] = [
    ["/", "other-path"],
    ["/connect/more?name=a&baseUrl=https://h.example", "other-path"],
    ["/Connect?name=a&baseUrl=https://h.example", "other-path"],
    [`${good}&name=other`, "duplicate-parameter"],
    [`${good}&allowHttp=true`, "unknown-parameter"],
    [`${good}&constructor=1`, "unknown-parameter"],
    [`${good}&`, "unknown-parameter"],
    [`${good}#top`, "unknown-parameter"],
    ["/connect?baseUrl=https://h.example", "name"],
    [`/connect?name=${"ab ".repeat(40)}&baseUrl=https://h.example`, "name"],
    ["/connect?name=a", "address"],
    ["/connect?name=a&baseUrl=h.example", "address"],
    ["/connect?name=a&baseUrl=ftp://h.example", "address"],
    ["/connect?name=a&baseUrl=https://h.example?x=1", "address"],
    ["/connect?name=a&baseUrl=http://h.example", "insecure"],
    ["/connect?name=a&baseUrl=http://127.0.0.1.h.example", "insecure"],
    ["/connect?name=a&baseUrl=https://h.example&style=chat", "style"],
    ["/connect?name=a\nb&baseUrl=https://h.example", "unreadable"],
    ["/connect?name=a\u202eb&baseUrl=https://h.example", "unreadable"],
    ["/connect?name=a\u200bb&baseUrl=https://h.example", "unreadable"],
    [`/connect?name=a&baseUrl=https://h.example/${"x/".repeat(1200)}`, "too-long"],
    [`/connect?name=a&baseUrl=https://h.example/${"x/".repeat(12_000)}`, "too-long"],
  ];
  for (const [link, problem] of refused) {
    it(`refuses ${JSON.stringify(link.slice(0, 60))}: ${problem}`, () =>
      assert.equal(problemOf(link), problem));
  }

  it("reports a key anywhere in a link, before any other problem", () => {
    const key = fakeKey("link-77aa");
    const links = [
      `${good}&key=x`,
      `${good}&apiKey=`,
      `${good}&access_token=abc`,
      `${good}&x=${key}`,
      `${good}&${key}`,
      `${good}#${key}`,
      `${good}#key=${key}`,
      `/connect?name=${key}&baseUrl=https://h.example`,
      `/connect?name=Acme ${key}&baseUrl=https://h.example`,
      `/connect?name=a&baseUrl=${key}`,
      `/connect?name=a&baseUrl=https://h.example/${key}`,
      `/connect?name=a&baseUrl=https://${key}@h.example`,
      "/connect?name=a&baseUrl=https://user:pass@h.example",
      `/connect?name=a&baseUrl=https://h.example?k=${key}`,
      `/connect?name=a&baseUrl=https://h.example&style=Bearer ${key}`,
      `/connect?name=a&baseUrl=https://h.example&style=${encodeURIComponent(`"${key}"`)}`,
      `/connect/${key}?name=a`,
      `/elsewhere?key=${key}`,
    ];
    for (const link of links) {
      assert.equal(problemOf(link), "key", link);
      assert.ok(!JSON.stringify(read(link)).includes(key));
    }
  });

  it("doesn't mistake a host of letters and digits for a key", () => {
    const host = "abcdefgh12345678ijkl9012mnop.lambda.host.example";
    assert.equal(problemOf(`/connect?name=a&baseUrl=https://${host}`), "none");
  });

  it("never throws, and proposes only visible text", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "&",
        "=",
        "?",
        "name=",
        "baseUrl=",
        "style=",
        "https://",
        "@",
        "%",
        "a.example",
        "messages",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), fc.string({ maxLength: 3 }), (parts, fragment) => {
        const reading = readConnectLink({ path: "/connect", query: parts.join(""), fragment });
        if (reading.kind === "problem") return;
        const { name, address } = reading.proposal;
        assert.ok(/^[^\p{Cc}\p{Cf}]{1,60}$/u.test(name), JSON.stringify(name));
        assert.ok(
          /^(?:https:\/\/|http:\/\/(?:localhost|127\.|\[::1\]|[^/]*\.localhost))[!-~]*$/.test(address.base),
          address.base,
        );
        assert.equal(fragment, "");
      }),
      { numRuns: 2000 },
    );
  });

  it("reads every valid link, whatever the order of its parameters", () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z éü.'-]{0,14}[a-z]$/);
    const host = fc.stringMatching(/^[a-z]{1,12}$/).map((label) => `https://${label}.example`);
    const style = fc.constantFrom("chat-completions", "messages");
    fc.assert(
      fc.property(name, host, style, fc.boolean(), (named, base, chosen, turned) => {
        const pairs = [`name=${named}`, `baseUrl=${base}`, `style=${chosen}`];
        const reading = read(`/connect?${(turned ? pairs.toReversed() : pairs).join("&")}`);
        assert.ok(reading.kind === "proposal", JSON.stringify(reading));
        const { proposal } = reading;
        assert.deepEqual(
          [proposal.name, proposal.address.base, proposal.clientStyle],
          [named.trim(), base, chosen],
        );
      }),
    );
  });
});
