import assert from "node:assert/strict";
import fc from "fast-check";
import { anyKeys, givesAway, plainKeys } from "../../client/key/plantedKeys.ts";
import { textsWithKey, uncertainTexts } from "./pastedTexts.ts";
import { readKey } from "../../../../src/connection/setup/keyHygiene.ts";

const key = ["sk", "test", "0123456789abcdef"].join("-");

function mendsOf(pasted: string): readonly string[] {
  const reading = readKey(pasted);
  assert.equal(reading.kind, "mended", `${JSON.stringify(pasted)} was ${reading.kind}`);
  if (reading.kind !== "mended") return [];
  assert.equal(reading.key, key);
  return reading.mends;
}

describe("readKey", () => {
  it("returns a clean key unchanged", () => {
    for (const clean of [key, "a", "dGVzdA==", "key_with.dots-and_more/+="]) {
      assert.deepEqual(readKey(clean), { kind: "clean", key: clean });
    }
  });

  const mended: readonly (readonly [string, string])[] = [
    [` ${key}`, "blank-around"],
    [`${key}\t `, "blank-around"],
    [`\u00a0${key}\u00a0`, "blank-around"],
    [`${key}\n`, "line-break"],
    [`\r\n${key}\r\n`, "line-break"],
    [`${key.slice(0, 9)}\n${key.slice(9)}`, "line-break"],
    [`${key.slice(0, 9)} ${key.slice(9)}`, "blank-inside"],
    [`${key.slice(0, 9)}\u00a0${key.slice(9)}`, "blank-inside"],
    [`"${key}"`, "quotes"],
    [`'${key}'`, "quotes"],
    [`\u201c${key}\u201d`, "quotes"],
    [`"${key}`, "quotes"],
    [`<${key}>`, "quotes"],
    [`"\u201c${key}\u201d"`, "quotes"],
    [`Bearer ${key}`, "bearer"],
    [`bearer  ${key}`, "bearer"],
    [`Authorization: Bearer ${key}`, "header-name"],
    [`x-api-key: ${key}`, "header-name"],
    [`API_KEY=${key}`, "variable-name"],
    [`export SERVICE_API_KEY="${key}"`, "variable-name"],
    [`$env:SERVICE_KEY = '${key}'`, "variable-name"],
    [`const apiKey = "${key}";`, "variable-name"],
    [`setx SERVICE_KEY ${key}`, "variable-name"],
    [`setx SERVICE_KEY "${key}" /M`, "variable-name"],
    [`set -gx SERVICE_KEY ${key}`, "variable-name"],
    [`KEY: ${key}`, "variable-name"],
    [`api_key: "${key}"`, "variable-name"],
    [`API key: ${key}`, "label"],
    [`SESSION_API_KEY=${key}`, "variable-name"],
    [`{"api_key": "${key}"}`, "json"],
    [`\ufeff${key}`, "invisible"],
    [`${key.slice(0, 9)}\u200b${key.slice(9)}`, "invisible"],
  ];
  for (const [pasted, mend] of mended) {
    it(`corrects ${JSON.stringify(pasted)} and reports ${mend}`, () => {
      assert.ok(mendsOf(pasted).includes(mend), mendsOf(pasted).join());
    });
  }

  const unusable: readonly (readonly [string, string])[] = [
    ["", "empty"],
    [" \n", "empty"],
    ["Bearer ", "empty"],
    ['""', "empty"],
    ["https://h.example/v1", "url"],
    ["me@h.example", "login"],
    ["me@h.example:password", "login"],
    [["eyJhbGciOiJub25lIn0", "eyJzdWIiOiJ4In0", "c2ln"].join("."), "session-token"],
    [["eyJhbGciOiJkaXIifQ", "ZWs", "aXY", "Y3Q", "dGFn"].join("."), "session-token"],
    [["eyJhbGciOiJkaXIifQ", "", "aXY", "Y3Q", "dGFn"].join("."), "session-token"],
    ["session=abc; other=def", "session-token"],
    ["next-auth.session-token=abc", "session-token"],
    ["__Secure-next-auth.session-token=abc; HttpOnly", "session-token"],
    ["connect.sid=s%3Aabc", "session-token"],
    ["JSESSIONID=0123ABCD", "session-token"],
    ['"JSESSIONID=0123ABCD"', "session-token"],
    ["\ufeffPHPSESSID=0123abcd", "session-token"],
    ["Cookie: session=abc", "session-token"],
    ["Set-Cookie: id=abc; Path=/", "session-token"],
    ["export KEY=", "empty"],
    ['export KEY=""', "empty"],
    ["API_KEY=", "empty"],
    ["KEY=''", "empty"],
    ["$env:KEY = ''", "empty"],
    ["setx KEY", "empty"],
    ['setx KEY ""', "empty"],
    ["KEY:", "empty"],
    ["$KEY", "empty"],
    ["${KEY}", "empty"],
    ["${env:KEY}", "empty"],
    ["%KEY%", "empty"],
    ["$env:KEY", "empty"],
    ["process.env.KEY", "empty"],
    ['os.environ["KEY"]', "empty"],
    ["undefined", "empty"],
    ["null", "empty"],
    ["Bearer undefined", "empty"],
    ["API_KEY=$OTHER_KEY", "empty"],
    ["sk-...abcd", "masked"],
    ["sk-\u2026abcd", "masked"],
    ["sk-****abcd", "masked"],
    ["sk-\u2022\u2022\u2022\u2022", "masked"],
    ["kl\u00e9", "not-ascii"],
    ["please find the key in the other mail", "prose"],
  ];
  for (const [pasted, problem] of unusable) {
    it(`rejects ${JSON.stringify(pasted)}: ${problem}`, () => {
      assert.deepEqual(readKey(pasted), { kind: "unusable", problem });
    });
  }

  it("finds the key inside up to 4 layers of surrounding text", () => {
    const layers: readonly ((text: string) => string)[] = [
      (text) => ` ${text}`,
      (text) => `${text}\n`,
      (text) => `\ufeff${text}`,
      (text) => `"${text}"`,
      (text) => `\u201c${text}\u201d`,
      (text) => `Bearer ${text}`,
      (text) => `Authorization: ${text}`,
      (text) => `export ACME_KEY=${text}`,
      (text) => `${text};`,
    ];
    fc.assert(
      fc.property(
        plainKeys,
        fc.array(fc.constantFrom(...layers), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        (each, wraps, at) => {
          const cut = each.slice(0, at % each.length) + "\u200b" + each.slice(at % each.length);
          const reading = readKey(wraps.reduce((text, wrap) => wrap(text), cut));
          assert.ok(reading.kind === "mended" && reading.key === each, JSON.stringify(reading));
        },
      ),
      { numRuns: 500 },
    );
  });

  const otherKeys = [
    key,
    `${key}ABCDEF`,
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    ["gsk", "0a1B2c3D4e5F6g7H8i9J"].join("_"),
  ];
  for (const text of textsWithKey) {
    it(`finds the key in ${JSON.stringify(text)} and reports the corrections`, () => {
      for (const each of otherKeys) {
        const reading = readKey(text.replace("@", () => each));
        assert.ok(reading.kind === "mended" && reading.key === each, JSON.stringify(reading));
        assert.ok(reading.mends.length > 0);
      }
    });
  }

  for (const [text, problem] of uncertainTexts) {
    it(`finds no certain key in ${JSON.stringify(text)}: ${problem}`, () => {
      const pasted = text
        .replaceAll("@2", () =>
          Array.from(key.slice(8)).toReversed().join("").padStart(key.length, "sk-test-"),
        )
        .replaceAll(/@(?!h\.)/g, () => key);
      assert.deepEqual(readKey(pasted), { kind: "unusable", problem });
    });
  }

  it("returns a key that contains special characters unchanged", () => {
    const keys = [
      `ab"cd'ef=gh:ij0123`,
      "3e1c5a2b-1111:9f8e7d6c5b4a",
      "abc123=def456",
      "a1,b2;c3",
      "k#ey1//x--y",
    ];
    for (const each of [...keys, "secret-token:abc123456", "abc\\ndef1", "p@ss%20w0rd(x)y", 'x:y"z'])
      assert.deepEqual(readKey(each), { kind: "clean", key: each });
  });

  it("reads long and hostile texts within 20 seconds", () => {
    const texts = [
      "key=",
      "Bearer ",
      '"',
      "key.",
      "```a\n",
      "\\n",
      "-u a",
      "name: key, ",
      '"key":"abcdefgh1",',
    ];
    const begun = performance.now();
    for (const text of texts) readKey(text.repeat(Math.floor(10_000 / text.length)));
    assert.equal(readKey("a1".repeat(10_000)).kind, "unusable");
    assert.ok(performance.now() - begun < 20_000);
  });

  it("finds a key in braces, before a period, after a comment mark, and next to other scripts", () => {
    const texts = [
      `"${key}".`,
      `\`${key}\`.`,
      `{${key}}`,
      `~${key}~`,
      `// ${key}`,
      `-- ${key}`,
      `REM ${key}`,
      `="${key}"`,
      `API_KEY+=${key}`,
      `我的key是${key}`,
      `API Key为${key}`,
      `{"token":"${key}","token_type":"bearer","expires_in":3600}`,
      `{"id":"key_1","secret":"${key}","object":"api_key"}`,
    ];
    for (const text of texts) assert.deepEqual([text, mendsOf(text).length > 0], [text, true]);
  });

  it("doesn't mistake a reference or a command option for a key", () => {
    const references = [
      "api_key: os.environ/ACME_API_KEY",
      "{env:ACME_API_KEY}",
      "${input:api-key}",
      "$(pass show acme)",
      "!API_KEY!",
      "secrets.API_KEY",
      "ENV['API_KEY']",
      'System.getenv("API_KEY")',
      'Deno.env.get("API_KEY")',
      'std::env::var("API_KEY")',
    ];
    for (const text of references)
      assert.deepEqual([text, readKey(text)], [text, { kind: "unusable", problem: "empty" }]);
    assert.equal(readKey(`-k ${key}`).kind, "unusable");
    for (const odd of ["id.secret0123456789", "0123env.abcdef0123456789", "$2b$10$abcdefghijkl"])
      assert.equal(readKey(odd).kind, "clean", odd);
  });

  it("never reveals a key in a problem or a correction", () => {
    fc.assert(
      fc.property(
        anyKeys,
        fc.constantFrom("", "https://", "see ", "me@h.example:", "...", "\u2026"),
        (each, before) => {
          const reading = readKey(before + each);
          if (reading.kind !== "clean") {
            const told = reading.kind === "mended" ? reading.mends.join() : JSON.stringify(reading);
            assert.ok(!givesAway(told, each));
          }
        },
      ),
    );
  });

  it("never throws, and returns only clean keys that can be sent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.base64String()), (pasted) => {
        const reading = readKey(pasted);
        if (reading.kind === "unusable") return;
        assert.match(reading.key, /^[\x21-\x7e]+$/);
        assert.deepEqual(readKey(reading.key), { kind: "clean", key: reading.key });
      }),
      { numRuns: 2000 },
    );
  });
});
