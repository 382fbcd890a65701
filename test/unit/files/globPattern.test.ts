import assert from "node:assert/strict";
import fc from "fast-check";
import { compileFaultyGlob, compileGlob } from "../../../src/files/globPattern.ts";
import { endsInTime } from "../text/endsInTime.ts";

function matches(pattern: string, path: string): boolean {
  return compileGlob(pattern)?.(path) ?? false;
}

describe("compileGlob", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["**/*.log", ["a.log", "x/y/a.log"], ["a.log.txt", "log"]],
    ["**/secret", ["secret", "x/secret", "x/secret/deep/a.txt"], ["secrets", "x/secret.txt"]],
    ["docs/**", ["docs/a", "docs/x/y"], ["adocs/a"]],
    ["docs", ["docs", "docs/a"], ["x/docs"]],
    ["docs/", ["docs/a"], ["x"]],
    ["*.ts", ["a.ts"], ["x/a.ts"]],
    ["**/*.{ts,tsx}", ["a.ts", "x/b.tsx"], ["a.js"]],
    ["**/{a,b*}/[!c]?.md", ["a/xy.md", "bbb/12.md", "z/a/xy.md"], ["a/cy.md", "c/xy.md"]],
    ["**/a+b (1).txt", ["a+b (1).txt"], ["aab 1.txt"]],
    ["**/client-keys/**", ["client-keys/a", "x/client-keys/b/c"], ["clientkeys/a"]],
    ["a[!x]b", ["ayb", "a😀b/c"], ["axb", "a/b", "a[!x]b"]],
    ["a**z", ["az", "a/b/z"], ["a/b"]],
    ["x/**/y.txt", ["x/y.txt", "x/ab/c/y.txt"], ["y.txt"]],
    [String.raw`.\build\**`, ["build/a"], ["a"]],
  ];
  for (const [pattern, taken, left] of cases) {
    it(`reads ${pattern}`, () => {
      for (const path of taken) assert.ok(matches(pattern, path), `${path} is matched`);
      for (const path of left) assert.ok(!matches(pattern, path), `${path} is not matched`);
    });
  }

  it("matches a name without special characters literally", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (text) => {
        const name = text.replaceAll(/[*?[\]{}\\/]/g, "x");
        assert.ok(matches(name, name) && matches(`**/${name}/**`, `a/${name}/b`), name);
      }),
    );
  });

  it("is case-sensitive by default", () => {
    const test = compileGlob("**/Private/[A-C]*.md", { ignoreCase: true });
    assert.ok(test?.("x/PRIVATE/b1.MD") === true && !test("x/private/d.md"));
    assert.ok(!matches("**/private/**", "Private/a.md"));
  });

  it("matches an accent in both of its forms, as macOS does", () => {
    for (const [one, other] of [
      ["caf\u00e9", "cafe\u0301"],
      ["cafe\u0301", "caf\u00e9"],
    ] as const)
      assert.ok(matches(`**/${one}/**`, `x/${other}/a.md`));
  });

  it("matches hostile patterns in time", () => {
    assert.ok(
      endsInTime(
        "src/files/globPattern.ts",
        `const patterns = ["{,}".repeat(160) + "x", "*a".repeat(200), "**/a/".repeat(90) + "b", "{a,*}".repeat(90) + "b"];
        for (const pattern of patterns) {
          const matches = its.compileGlob(pattern);
          for (const path of ["a".repeat(250), "a/".repeat(200)]) matches(path);
        }`,
      ),
    );
  });

  it("reads a long list of names", () => {
    const names = Array.from({ length: 300 }, (_, index) => `customer-${index}`);
    const test = compileGlob(`**/{${names.join(",")}}`);
    assert.ok(test?.("x/customer-299") === true && test("customer-0/a.md") && !test("customer-300"));
  });

  it("matches long hostile lists in time", () => {
    assert.ok(
      endsInTime(
        "src/files/globPattern.ts",
        `const patterns = ["*a".repeat(999), "**/a/".repeat(900) + "b", "{,}".repeat(900) + "x", "{a,*}".repeat(480) + "b",
          "{" + "a,".repeat(9000) + "b}", "{a,".repeat(999) + "}".repeat(999)];
        for (const pattern of patterns) {
          const matches = its.compileGlob(pattern);
          for (const path of ["a".repeat(250), "a/".repeat(200)]) matches(path);
        }`,
      ),
    );
  });

  const faulty: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["src/{a,b", ["src/a", "src/zz/y"], ["lib/a"]],
    ["**/private{,-*/**", ["private-x/a", "x/private"], ["public/a"]],
    ["{a,b", ["anything", "x/y"], []],
    ["**/*.{pem,key", ["a.pem", "notes"], []],
    ["keys[0-9.txt", ["keys1.txt"], ["other.txt"]],
    [`customers/${"x".repeat(20_001)}`, [`customers/${"x".repeat(20_001)}`], ["src/a"]],
  ];
  for (const [pattern, meant, left] of faulty) {
    it(`returns what ${pattern.slice(0, 30)} may match`, () => {
      const mayMean = compileFaultyGlob(pattern);
      for (const path of meant) assert.ok(mayMean?.(path) === true, `${path.slice(0, 30)} may be meant`);
      for (const path of left) assert.ok(mayMean?.(path) === false, `${path} is not meant`);
    });
  }

  it("reports no error in a valid pattern", () => {
    for (const pattern of ["**/a", "{a,b}/[c]", "a]b", "x}", "**/[!a]*.{ts,tsx}", ""])
      assert.equal(compileFaultyGlob(pattern), undefined, pattern);
  });

  it("returns undefined for an invalid pattern", () => {
    assert.equal(compileGlob(""), undefined);
    assert.equal(compileGlob("{a,b"), undefined);
    assert.equal(compileGlob("x".repeat(20_001)), undefined);
  });
});
