import assert from "node:assert/strict";
import fc from "fast-check";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import { piecesIn, sayKey, waysToSayKey } from "../../../service/saidBack.ts";
import { processorTime } from "../../processorTime.ts";
import { fakeKey } from "../../service/fixture.ts";
import { anyKeys, plantings, tellingKeys } from "./plantedKeys.ts";
import { sealFor } from "../../../support/sealFor.ts";

const seal = sealFor("https://h.example");
const body = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0x";
const secret = ["sk", "proj", body].join("-");
const key = new ApiKey(secret, seal);

function clean(text: string): string {
  return key.redactServiceText(text);
}

/** A key and one of its pieces. The piece must be redacted, because it is long enough and not a word. */
const pieces = anyKeys.chain((whole) =>
  fc
    .tuple(fc.nat({ max: whole.length - 8 }), fc.integer({ min: 8, max: whole.length }))
    .map(([start, length]) => ({ whole, piece: whole.slice(start, start + length) }))
    .filter(({ piece }) => piecesIn(piece, whole).length > 0),
);

const around = fc.constantFrom("", " ", "key ", "'", "(", "id=", "密钥", ".", ": ", "\n");

describe("pieces of a key in a service's text", () => {
  for (const [name, say] of Object.entries(waysToSayKey)) {
    it(`are redacted: ${name}`, () => {
      fc.assert(
        fc.property(tellingKeys, around, around, (whole, before, behind) => {
          const cleaned = new ApiKey(whole, seal).redactServiceText(before + say(whole) + behind);
          assert.deepEqual(piecesIn(cleaned, whole), [], cleaned);
        }),
        { numRuns: 200 },
      );
    });
  }

  for (const [name, plant] of Object.entries(plantings)) {
    it(`are redacted wherever they begin and end: ${name}`, () => {
      fc.assert(
        fc.property(pieces, around, ({ whole, piece }, before) => {
          const cleaned = new ApiKey(whole, seal).redactServiceText(before + plant(piece));
          assert.deepEqual(piecesIn(cleaned, whole), [], cleaned);
        }),
        { numRuns: 100 },
      );
    });
  }

  it("are replaced by one placeholder together with their mask, and the words around them stay", () => {
    const cases: readonly (readonly [string, string])[] = [
      [
        `Incorrect API key provided: ${body.slice(0, 6)}[...]${body.slice(-4)}. See the docs.`,
        "[API key]. See the docs.",
      ],
      [`key ${body.slice(0, 6)}… is bad`, "key [API key] is bad"],
      [`sk-****${body.slice(-4)} is bad`, "[API key] is bad"],
      [`key ***${body.slice(-6)}: bad`, "key [API key]: bad"],
      [`key ${body.slice(0, 6)} ... ${body.slice(-6)}: bad`, "key [API key]: bad"],
      [`sk\u2011proj\u2011${body}, ${body.slice(3, 12)}`, "[API key], [API key]"],
    ];
    for (const [said, expected] of cases) assert.ok(clean(said).endsWith(expected), clean(said));
  });

  it("are redacted next to a mask, in brackets, and after words of other languages", () => {
    const [first, last] = [body.slice(0, 6), body.slice(-6)];
    const cases: readonly string[] = [
      `{"error":{"code":401,"message":"bad key sk-...${last}"}}`,
      `(private key ${first}****${last})`,
      `no such key (${first}xxxxxxxx${last})`,
      `[${first}...${last}]`,
      `sk-***-${last}`,
      `${first}_...`,
      `XXXX-XXXX-${last}`,
      `${first} * * * * ${last}`,
      `${first}*${last}`,
      `${first}\u22ef${last}`,
      `${first}\u{1f512}\u{1f512}${last}`,
      `Your key ending "${last}"`,
      `The last 6 characters of your API key are ${last}`,
      `Der Schlüssel endet auf ${last}`,
      `La clé se terminant par ${last} est révoquée`,
      `La clave que termina en ${last}`,
      `A chave terminada em ${last}`,
      `Ключ, оканчивающийся на ${last}, отозван`,
      `密钥尾号${last}已被禁用`,
      `以 ${last} 结尾的密钥无效`,
      `末尾が${last}のキー`,
    ];
    for (const said of cases) {
      const cleaned = clean(said);
      assert.ok(!cleaned.includes(first) && !cleaned.includes(last), cleaned);
    }
  });

  it("have at least 8 characters, 6 next to a mask, or 12 if all are letters", () => {
    const word = new ApiKey(["zz9", "abcdefghijklmnop", "9zz"].join("-"), seal);
    for (const kept of [
      body.slice(0, 7),
      `${body.slice(0, 5)}... of it`,
      "sk-proj-",
      "sk-proj-...",
      "sk-...",
    ])
      assert.equal(clean(`it is ${kept} there`), `it is ${kept} there`);
    assert.equal(word.redactServiceText("abcdefghijk of it"), "abcdefghijk of it");
    assert.equal(word.redactServiceText("abcdefghijkl of it"), "[API key] of it");
    assert.equal(word.redactServiceText("it is abcdef***"), "it is [API key]");
    assert.equal(word.redactServiceText("it is abcdef there"), "it is abcdef there");
  });

  it("exclude the key's prefix", () => {
    const named = new ApiKey(["deepserve", "c7h2x9q4w8e1r5t3"].join("-"), seal);
    for (const kept of ["deepserve-chat", "see deepserve-docs", "api.deepserve-c.example"])
      assert.equal(named.redactServiceText(kept), kept);
    assert.equal(named.redactServiceText("deepserve-c7h2"), "[API key]");
    for (const prefix of ["sk-", "sk-proj-", "sk-ant-api03-", "sk-or-v1-"]) {
      const prefixed = new ApiKey(prefix + body, seal);
      const kept = `A key begins with ${prefix}, such as ${prefix}... or "${prefix}"`;
      assert.equal(prefixed.redactServiceText(kept), kept);
    }
  });

  it("leave other texts unchanged", () => {
    const ordinary = [
      "The model `llama-3.1-405b-instruct-turbo-2025-01-01` does not exist at https://api.h.example/v1.",
      "Rate limit reached for gpt-4o-mini in organization org-AbCd on tokens per min (TPM): Limit 30000, Used 29001...",
      "req_7002b33a6e0849a48e88465888868451 and 1b4e28ba-2fa1-11d2-883f-0016d3cca427, 2027-01-31T12:00:00Z",
      "Loading... please wait *** ending in tears *** [redacted] (3 more) xxxx",
      "该令牌已过期…请重新申请",
      "eyJtZXNzYWdlIjoiUGxlYXNlIHRyeSBhZ2FpbiJ9",
      String.raw`C:\new\table\users %20%41%0a &amp;&#65; \u0041\n`,
    ];
    for (const text of ordinary) assert.equal(clean(text), text);
    fc.assert(
      fc.property(anyKeys, fc.string({ unit: "binary", maxLength: 300 }), (whole, text) => {
        assert.equal(new ApiKey(whole, seal).redactServiceText(text), text);
      }),
      { numRuns: 2000 },
    );
  });

  it("are all redacted the first time, so that redacting again changes nothing", () => {
    fc.assert(
      fc.property(anyKeys, (whole) => {
        const sealed = new ApiKey(whole, seal);
        const cleaned = sealed.redactServiceText(sayKey(whole));
        assert.equal(sealed.redactServiceText(cleaned), cleaned);
      }),
    );
  });

  it("are searched within 2 seconds in a hostile text of 64 KB", () => {
    const hostile = [
      "a",
      "-",
      "key ",
      "\\",
      "%25",
      "&amp;",
      "*",
      "***a",
      "[a",
      "xxx",
      "ending in ",
      "\u2011",
      "密",
    ];
    const said = [body.slice(0, 7), `${body.slice(0, 7)} `, `...${body.slice(0, 5)}`, secret, "\\u002d"];
    for (const word of [...hostile, ...said]) {
      const text = word.repeat((64 * 1024) / word.length);
      const time = processorTime(() => clean(text));
      assert.ok(time < 2000, `${JSON.stringify(word)}: ${time} ms`);
    }
  });
});

describe("the ways to say a key in tests", () => {
  it("contain pieces that the tests' own search finds, with one exception", () => {
    for (const whole of [secret, fakeKey("7d03b1f9e2a4c586")]) {
      for (const [name, say] of Object.entries(waysToSayKey)) {
        assert.ok(name === "both ends with its prefix" || piecesIn(say(whole), whole).length > 0, name);
      }
      assert.deepEqual(piecesIn("Keys begin with sk-proj- or sk-test-...", whole), []);
    }
  });
});
