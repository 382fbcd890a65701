import assert from "node:assert/strict";
import fc from "fast-check";
import { maxLineLength, redact } from "../../../../src/connection/redaction/redaction.ts";
import { givesAway, plainKeys, plantings, tellingKeys } from "../../client/key/plantedKeys.ts";
import { processorTime } from "../../processorTime.ts";

/** Joined at run time so that no text in this file has the form of a key. */
const key = ["sk", "test", "0123456789abcdefABCD"].join("-");

describe("redact", () => {
  const hidden: readonly string[] = [
    key,
    ["sk", "...AbCd"].join("-"),
    ["sk", "ab***yz"].join("-"),
    "abcd****wxyz",
    "ab•••yz",
    "abcdef…wxyz",
    ["sk", "live", "a1b2c3d4"].join("_"),
    `Bearer ${key}`,
    ["eyJhbGciOiJub25lIn0", "eyJzdWIiOiJ4In0", "c2ln"].join("."),
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
    "jane.doe@mail.example",
    "org-AbCd1234",
    Buffer.from("plainly no key of anybody").toString("base64"),
    "user_2abcDEF345",
    "/usr/local/lib/python3.12/site-packages/server/auth.py",
    "/home/runner/app.js",
    "C:\\Users\\jane\\server.py",
    "10.20.30.40",
  ];
  for (const text of hidden) {
    it(`redacts ${JSON.stringify(text.slice(0, 24))}...`, () => {
      assert.ok(!redact(`The value (${text}) was refused`).includes(text));
      assert.ok(!redact(`${text}: refused`).includes(text));
    });
  }

  it("redacts the value after a label, and keeps numbers and sentences", () => {
    assert.equal(
      redact("Incorrect API key provided: <mine>. See the docs"),
      "Incorrect API key provided: •••. See the docs",
    );
    assert.equal(redact('{"password": "a b", "x": 1}'), '{"password": •••, "x": 1}');
    assert.equal(redact("Authorization: Bearer ab'cd,ef123456 end"), "Authorization: ••• end");
    assert.equal(redact("Key=abc, Hash = def"), "Key=•••, Hash = •••");
    for (const text of ["Incorrect API key provided: [API key].", 'api_key="[API key]"', "token=[API key]&x"])
      assert.equal(redact(text), text);
    assert.equal(
      redact("Max Budget for Token: 2e-07, max_tokens: 5"),
      "Max Budget for Token: 2e-07, max_tokens: 5",
    );
  });

  it("keeps harmless text", () => {
    for (const text of [
      "The model `llama-3.1-405b-instruct-turbo-2025-01-01` does not exist",
      "Invalid URL (POST /v1/messages/count_tokens)",
      "Manage it at https://h.example/settings/keys.",
      "A key must start with 'sk-'.",
      "Limit 6000, Requested 10338. Try again in 1.5s",
      "该令牌已过期",
    ]) {
      assert.equal(redact(text), text);
    }
  });

  it("redacts the user, password, and query of a URL", () => {
    const address = "https://me:secret@h.example/a?api=secret#x ok";
    assert.equal(redact(`See ${address}`), "See https://•••@h.example/a?••• ok");
  });

  it("returns only the first line, or the last line of a traceback", () => {
    assert.equal(redact("\n\n one \ntwo"), "one");
    assert.equal(redact("one\u2028two"), "one");
    assert.equal(
      redact("Traceback (most recent call last):\n  File x\nValueError: odd\n"),
      "ValueError: odd",
    );
  });

  it("removes invisible and bidirectional characters and truncates to its limit", () => {
    assert.equal(redact("a\u0000b\u202Ec\u200Bd\u001B[31m\te"), "abcd[31me");
    assert.equal(redact("😀 ".repeat(1000)).length <= maxLineLength, true);
    assert.ok(redact(`${"x ".repeat(149)}😀😀`).isWellFormed());
  });

  it("redacts a given secret of any form, and its pieces", () => {
    const secret = "plain words and a longer-piece";
    assert.ok(!redact(`got ${secret} here`, [secret]).includes("plain words"));
    assert.ok(!redact("got ab1\ncd2 here", ["ab1\ncd2"]).includes("ab1"));
    assert.ok(!redact("got longer-piece here", [secret]).includes("longer-piece"));
    assert.ok(!redact("got plainsecret\u200Bvalue here", ["plainsecretvalue"]).includes("plainsecret"));
  });

  for (const [name, plant] of Object.entries(plantings)) {
    // Skip base64: without padding, only digits distinguish it from a word, and some base64 has no digits.
    if (name.startsWith("in base64")) continue;
    it(`redacts an unknown key by its form: ${name}`, () => {
      fc.assert(
        fc.property(tellingKeys, (each) => !givesAway(redact(plant(each)), each)),
        { numRuns: 100 },
      );
    });
  }

  for (const name of ["in a sentence", "as a header", "in capitals", "in JSON", "in an address"]) {
    it(`redacts a key without a known form by the text before it: ${name}`, () => {
      fc.assert(
        fc.property(plainKeys, (each) => !givesAway(redact(plantings[name]?.(each) ?? each), each)),
        { numRuns: 100 },
      );
    });
  }

  it("redacts a key with any text around it", () => {
    const before = fc.constantFrom("", "key ", "'", "(", "<", "=", "…", "Bearer ", "密钥", '{"k":"');
    fc.assert(
      fc.property(
        before,
        tellingKeys,
        fc.constantFrom("", ".", " is bad", ")", "'", '"}'),
        (head, each, tail) => {
          assert.ok(!redact(`${head}${each}${tail}`).includes(each));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps escaped words in other scripts", () => {
    const text = "See /%E4%BB%A4%E7%89%8C%E6%97%A0%E6%95%88 and \\u4ee4\\u724c\\u65e0\\u6548";
    assert.equal(redact(text), text);
  });

  it("redacts every given secret, and never throws", () => {
    const secrets = fc
      .string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" })
      .filter((text) => text.trim().length >= 8);
    fc.assert(
      fc.property(fc.string(), secrets, fc.string(), (head, secret, tail) => {
        assert.ok(!redact(head + secret + tail, [secret]).includes(secret.trim()));
      }),
    );
  });

  it("reads long texts within 2 seconds", () => {
    const time = processorTime(() => {
      for (const word of ["a", "a.", "-", "key ", "/a", "a@", "0", "*", "user: ", "https://a?b "])
        redact(word.repeat(20_000));
    });
    assert.ok(time < 2000, `${time} ms`);
  });
});
