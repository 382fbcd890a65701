import assert from "node:assert/strict";
import fc from "fast-check";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import {
  findExposedKeys,
  positionsOf,
  type SearchedKey,
  withoutExposedKeys,
} from "../../../../src/connection/exposedKeys/exposedKeys.ts";
import { referenceEdits } from "../../../../src/connection/exposedKeys/referenceEdit.ts";
import { fakeKey } from "../../service/fixture.ts";
import { processorTime } from "../../processorTime.ts";
import { sealFor } from "../../../support/sealFor.ts";

const secret = fakeKey("guard-1");
const longer = `${secret}-and-more`;

function searched(connectionName: string, value: string): SearchedKey {
  return { connectionName, variable: "X", key: new ApiKey(value, sealFor("https://h.example")) };
}

const keys = [searched("Acme", secret), searched("Longer", longer), searched("Twin", secret)];

describe("the search for exposed keys", () => {
  it("finds each place, prefers the longest key, and names the first connection", () => {
    const text = `a ${secret} b ${longer}\n${secret}${secret}`;
    assert.deepEqual(
      findExposedKeys(text, keys).map(({ start, connectionName }) => [start, connectionName]),
      [
        [2, "Acme"],
        [2 + secret.length + 3, "Longer"],
        [text.length - 2 * secret.length, "Acme"],
        [text.length - secret.length, "Acme"],
      ],
    );
  });

  it("removes every key and changes nothing else", () => {
    const piece = fc.oneof(fc.constant(secret), fc.constant(longer), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        const clean = withoutExposedKeys(text, keys);
        assert.ok(!clean.text.includes(secret));
        if (!text.includes(secret)) assert.deepEqual(clean, { text, connectionNames: [] });
      }),
    );
    assert.equal(withoutExposedKeys(`is ${secret} good?`, keys).text, "is [API key] good?");
  });

  it("finds a key in JSON escaped once or twice, and keeps the JSON valid", () => {
    const odd = fc
      .string({ unit: fc.constantFrom(...Array.from('ab0-"\\/<&+')), minLength: 8, maxLength: 20 })
      .map((text) => `k${text}`);
    fc.assert(
      fc.property(odd, fc.string({ unit: fc.constantFrom("x", "\\", '"', " ", "\n") }), (value, around) => {
        const found = [searched("Odd", value)];
        const clean = (text: string): string => withoutExposedKeys(text, found).text;
        const once = JSON.stringify({ text: `${around} ${value} ${around}` });
        assert.deepEqual(JSON.parse(clean(once)), { text: `${around} [API key] ${around}` });
        const twice: unknown = JSON.parse(clean(JSON.stringify({ arguments: once })));
        assert.deepEqual(twice, { arguments: JSON.stringify({ text: `${around} [API key] ${around}` }) });
      }),
      { numRuns: 1000 },
    );
  });

  it("finds a key in JSON with unnecessary escapes", () => {
    const value = ["k1", '<a&b>"c', "d/e+f\\g'"].join("-");
    const found = [searched("Odd", value)];
    const php = JSON.stringify(value).replaceAll("/", "\\/");
    const go = JSON.stringify(value).replaceAll(
      /[<>&]/g,
      (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
    );
    const net = Array.from(value, (each) =>
      /[\w-]/.test(each) ? each : `\\u00${each.charCodeAt(0).toString(16).toUpperCase()}`,
    ).join("");
    for (const text of [php, go, `"${net}"`]) {
      assert.equal(withoutExposedKeys(text, found).text, '"[API key]"', text);
      assert.equal(withoutExposedKeys(JSON.stringify(text), found).text, JSON.stringify('"[API key]"'), text);
    }
  });

  it("keeps a piece of a key, because it is usually the user's own code", () => {
    const text = `const part = "${secret.slice(0, -1)}"; // ${secret.slice(3)}, ending in ...${secret.slice(-8)}`;
    assert.deepEqual(withoutExposedKeys(text, keys), { text, connectionNames: [] });
  });

  it("runs in time linear in the text", () => {
    const odd = [searched("Odd", `${"\\".repeat(30)}x`)];
    for (const text of [secret.slice(0, -1).repeat(200_000), `\\${secret.slice(0, -1)}`.repeat(50_000)]) {
      const time = processorTime(() => assert.deepEqual(findExposedKeys(text, keys), []));
      assert.ok(time < 2000, `${time} ms`);
    }
    const time = processorTime(() => assert.deepEqual(findExposedKeys("\\".repeat(200_000), odd), []));
    assert.ok(time < 2000, `${time} ms`);
  });

  it("returns lines and characters as editors count them", () => {
    const text = "ab\r\ncd\re\n\nf";
    assert.deepEqual(
      positionsOf(text, [0, 4, 5, 7, 10]).map(({ line, character }) => `${line}:${character}`),
      ["0:0", "1:0", "1:1", "2:0", "4:0"],
    );
  });
});

describe("a reference in place of a key", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["typescript", 'const key = "KEY";', "const key = process.env.X;"],
    ["typescript", "const key = `KEY`;", "const key = process.env.X;"],
    ["javascript", "const h = `Bearer KEY`;", "const h = `Bearer ${process.env.X}`;"],
    ["javascript", "const h = 'Bearer KEY';", "const h = 'Bearer ' + process.env.X;"],
    ["javascript", "const h = 'a KEY b';", "const h = 'a ' + process.env.X + ' b';"],
    ["javascript", "// don't use KEY here", "// don't use process.env.X here"],
    ["typescriptreact", '<Chat apiKey="KEY" />', "<Chat apiKey={process.env.X} />"],
    ["python", 'import os\nkey = "KEY"\n', 'import os\nkey = os.environ["X"]\n'],
    ["python", 'key = """KEY"""\n', 'import os\nkey = os.environ["X"]\n'],
    [
      "python",
      'from __future__ import annotations\nh = f"Bearer KEY"\n',
      "from __future__ import annotations\nimport os\nh = f\"Bearer {os.environ['X']}\"\n",
    ],
    [
      "python",
      '#!/usr/bin/python\nimport re\nk = r"KEY"',
      '#!/usr/bin/python\nimport os\nimport re\nk = os.environ["X"]',
    ],
    ["powershell", '$key = "KEY"', "$key = $env:X"],
    ["java", 'String key = "KEY";', 'String key = System.getenv("X");'],
    ["go", 'key := "Bearer KEY"', 'key := "Bearer " + os.Getenv("X")'],
    ["php", "$h = 'Bearer KEY';", "$h = 'Bearer ' . getenv(\"X\");"],
    ["shellscript", 'curl -H "Authorization: Bearer KEY"', 'curl -H "Authorization: Bearer ${X}"'],
    ["shellscript", "curl -H 'Authorization: Bearer KEY'", "curl -H 'Authorization: Bearer '\"${X}\"''"],
    ["dotenv", "TOKEN=KEY", "TOKEN=${X}"],
    ["json", '{ "key": "KEY" }', '{ "key": "${X}" }'],
    ["rust", 'let h = "Bearer KEY";', 'let h = "Bearer KEY";'],
  ];
  for (const [languageId, before, after] of cases) {
    it(`replaces the key in ${languageId} if a reference is known: ${before.replaceAll("\n", " ")}`, () => {
      let text = before.replace("KEY", secret);
      const [found] = findExposedKeys(text, keys);
      assert.ok(found !== undefined);
      const edits = [...referenceEdits(text, found, languageId)].sort((a, b) => b.start - a.start);
      for (const edit of edits) text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      assert.equal(text.replace(secret, "KEY"), after);
    });
  }
});
