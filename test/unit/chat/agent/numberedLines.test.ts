import assert from "node:assert/strict";
import fc from "fast-check";
import { numberLines } from "../../../../src/chat/agent/fileLines.ts";

const linesTo = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("the numbered lines of a file", () => {
  it("are all lines with their numbers, and end without an empty one", () => {
    for (const text of ["one\ntwo\n", "one\r\ntwo", "one\rtwo\r"]) {
      assert.deepEqual(numberLines(text), {
        text: "1\tone\n2\ttwo",
        firstLine: 1,
        lastLine: 2,
        isCut: false,
      });
    }
    assert.equal(numberLines("one\n\n").text, "1\tone\n2\t");
  });

  const five = linesTo(5);
  const ranges: readonly (readonly [title: string, first: number | undefined, end: number, text: string])[] =
    [
      [
        "a range, and the lines that are left",
        2,
        3,
        "2\tline 2\n3\tline 3\n(Lines 4-5 are not shown. Read on with startLine 4.)",
      ],
      ["a range up to the end", 4, 5, "4\tline 4\n5\tline 5"],
      ["a range beyond the end", 5, 90, "5\tline 5"],
      ["a start below 1 as 1", -3, 1, "1\tline 1\n(Lines 2-5 are not shown. Read on with startLine 2.)"],
      ["only an end", undefined, 1, "1\tline 1\n(Lines 2-5 are not shown. Read on with startLine 2.)"],
      ["no line if the start is beyond the end", 6, 9, "(The file ends at line 5.)"],
      ["no line if the end is before the start", 4, 3, "(endLine is before startLine. Nothing was read.)"],
      ["no line if the end is below 1", 1, -1, "(endLine is before startLine. Nothing was read.)"],
    ];
  for (const [title, first, end, text] of ranges) {
    it(`take ${title}`, () => {
      const read = numberLines(five, first, end);
      assert.equal(read.text, text);
      assert.equal(read.isCut, false);
      assert.equal(read.lastLine < read.firstLine, !text.includes("\t"));
    });
  }

  it("say that a file is empty", () => {
    const expected = { text: "(The file is empty.)", firstLine: 1, lastLine: 0, isCut: false };
    assert.deepEqual(numberLines(""), expected);
    assert.equal(numberLines("", 5, 9).text, expected.text);
  });

  it("are at most 2,000, and say which are left", () => {
    const { text, ...facts } = numberLines(linesTo(3450));
    assert.deepEqual(facts, { firstLine: 1, lastLine: 2000, isCut: true });
    assert.ok(
      text.endsWith("2000\tline 2000\n(Lines 2001-3450 are not shown. Read on with startLine 2001.)"),
    );
    const rest = numberLines(linesTo(3450), 2001);
    assert.deepEqual([rest.firstLine, rest.lastLine, rest.isCut], [2001, 3450, false]);
    assert.doesNotMatch(rest.text, /not shown/);
  });

  it("are at most 48,000 characters together with the note", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1990 }), fc.integer({ min: 1, max: 2000 }), (length, last) => {
        const lines = Array.from({ length: 60 }, (_, index) => "x".repeat(index === 20 ? last : length));
        const { text, lastLine, isCut } = numberLines(`${lines.join("\n")}\n`.repeat(40));
        assert.ok(text.length <= 48_000, `${text.length} characters`);
        assert.equal(isCut, true);
        assert.ok(
          text.endsWith(
            `(Lines ${lastLine + 1}-2400 are not shown. Read on with startLine ${lastLine + 1}.)`,
          ),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("fill the room that they have", () => {
    assert.ok(numberLines(`${"x".repeat(99)}\n`.repeat(1000)).text.length > 47_000);
  });

  it("cut a long line, and never within a character", () => {
    assert.equal(numberLines("x".repeat(2000)).text, `1\t${"x".repeat(2000)}`);
    assert.equal(
      numberLines(`${"x".repeat(1999)}😀 and more`).text,
      `1\t${"x".repeat(1999)} (line cut: 2010 characters)`,
    );
  });

  it("lose no line when they are read in parts", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 1500 }), { minLength: 1, maxLength: 120 }), (given) => {
        const lines = [...given.map((line) => line.replaceAll(/[\r\n]/g, " ")), "end"];
        const read: string[] = [];
        for (let first = 1; first <= lines.length;) {
          const part = numberLines(lines.join("\n"), first);
          const { lastLine } = part;
          assert.ok(lastLine >= first);
          read.push(...part.text.split("\n").slice(0, lastLine - first + 1));
          first = lastLine + 1;
        }
        assert.deepEqual(
          read,
          lines.map((line, index) => `${index + 1}\t${line}`),
        );
      }),
      { numRuns: 30 },
    );
  });
});
