import assert from "node:assert/strict";
import { type LineSearch, searchForRegex, searchForText } from "../../../../src/chat/agent/fileLines.ts";

const text = "Alpha one\r\nbeta (two)\rGAMMA one\n\nalpha ONE";

const linesOf = (search: LineSearch, max = 100): readonly number[] =>
  search(text, max).map(({ line }) => line);

describe("a search for lines", () => {
  it("finds a text in upper or lower case, in lines with any ending", () => {
    assert.deepEqual(searchForText("ALPHA one")(text, 100), [
      { line: 1, text: "Alpha one" },
      { line: 5, text: "alpha ONE" },
    ]);
    assert.deepEqual(linesOf(searchForText("one")), [1, 3, 5]);
    assert.deepEqual(linesOf(searchForText("three")), []);
  });

  it("takes a text literally", () => {
    assert.deepEqual(linesOf(searchForText("(TWO)")), [2]);
    assert.deepEqual(linesOf(searchForText(".*")), []);
  });

  it("finds no text across two lines", () => {
    assert.deepEqual(linesOf(searchForText("one\r\nbeta")), []);
    assert.deepEqual(linesOf(searchForRegex(String.raw`one\s+beta`)), []);
  });

  it("finds a regular expression in upper or lower case", () => {
    assert.deepEqual(linesOf(searchForRegex("^alpha")), [1, 5]);
    assert.deepEqual(linesOf(searchForRegex(String.raw`\(\w+\)$`)), [2]);
    assert.deepEqual(linesOf(searchForRegex("^$")), [4]);
    assert.deepEqual(linesOf(searchForRegex(String.raw`\p{Lu}{5}`)), [1, 3, 5]);
    assert.deepEqual(searchForRegex("o.e")("one\ntwo", 100), [{ line: 1, text: "one" }]);
  });

  it("ends at the limit of lines", () => {
    for (const search of [searchForText("one"), searchForRegex("one")]) {
      assert.deepEqual(linesOf(search, 2), [1, 3]);
      assert.deepEqual(linesOf(search, 0), []);
    }
  });

  it("keeps nothing from one text to the next", () => {
    const search = searchForRegex("one");
    assert.deepEqual(linesOf(search), linesOf(search));
    assert.deepEqual(search("no match", 100), []);
    assert.deepEqual(linesOf(search, 1), [1]);
  });

  it("refuses a regular expression that is not valid", () => {
    for (const source of ["(", "[z-a]", "*", "(?<n>a)(?<n>b)", "\\"]) {
      assert.throws(() => searchForRegex(source), SyntaxError, source);
    }
  });

  it("takes a regular expression as nothing but an expression", () => {
    assert.equal(searchForRegex('"; process\\.exit')('"; process.exit(1); "', 1).length, 1);
    assert.equal(searchForRegex("`/iu; max = 9")("`/iu; max = 9", 1).length, 1);
  });

  it("cuts long lines, and never within a character", () => {
    const line = `${"x".repeat(299)}😀 the end`;
    for (const search of [searchForText("the end"), searchForRegex("the end$")]) {
      assert.deepEqual(search(line, 100), [{ line: 1, text: `${"x".repeat(299)}…` }]);
    }
    assert.equal(searchForText("x")("x".repeat(300), 1)[0]?.text, "x".repeat(300));
  });

  it("tries a regular expression on the first 10,000 characters of a line", () => {
    const line = `${"x".repeat(9999)}yz`;
    assert.equal(searchForRegex("y")(line, 1).length, 1);
    assert.equal(searchForRegex("z")(line, 1).length, 0);
  });

  it("ends a regular expression that takes too long", () => {
    const search = searchForRegex("^(a+)+$");
    const begun = performance.now();
    assert.throws(() => search(`${"a".repeat(60)}!`, 1), { name: "RegexTimeoutError" });
    assert.ok(performance.now() - begun < 20_000);
    assert.deepEqual(search("aaa", 1), [{ line: 1, text: "aaa" }]);
  });
});
