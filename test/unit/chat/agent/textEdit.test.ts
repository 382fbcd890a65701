import assert from "node:assert/strict";
import fc from "fast-check";
import { editCells, editText, nearestText, withPlainLineEnds } from "../../../../src/chat/agent/textEdit.ts";

const text = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

function edited(before: string, oldText: string, newText: string, replaceAll = false): string {
  const result = editText(before, { oldText, newText, replaceAll });
  return result.kind === "edited" ? result.text : assert.fail(result.fault);
}

function faultOf(before: string, oldText: string, newText: string, replaceAll = false): string {
  const result = editText(before, { oldText, newText, replaceAll });
  if (result.kind === "edited") assert.fail(result.text);
  return result.kind === "missing" ? result.fault + nearestText(before, oldText) : result.fault;
}

function trimmed(all: string): string {
  return all.replaceAll(/[ \t]+(?=\n|$)/g, "");
}

describe("editText", () => {
  it("replaces the only match, with any line ends in the arguments", () => {
    assert.equal(edited(text, "return 1;", "return 11;"), text.replace("1;", "11;"));
    assert.equal(
      edited(text, "one() {\r\n  return 1;\r\n}", "one() {\r\n}"),
      text.replace("\n  return 1;", ""),
    );
    assert.equal(edited(text, "\n\nfunction two", "\nfunction two"), text.replace("\n\n", "\n"));
    assert.equal(edited("", "", "new\n"), "new\n");
  });

  it("takes the new text as it is", () => {
    assert.equal(edited("a b", "b", "$& $1 \\n"), "a $& $1 \\n");
  });

  it("says how often and where the text occurs if there are several matches", () => {
    assert.equal(
      faultOf(text, "  return", "  yield"),
      "oldText occurs 2 times, at lines 2, 6. Add lines around the place, or set replaceAll.",
    );
    // Matches that overlap leave the place open too.
    assert.match(faultOf("aaa", "aa", "b"), /^oldText occurs 2 times/);
    assert.match(
      faultOf("x\n".repeat(1000), "x", "y"),
      /^oldText occurs 1000 times, at lines 1, 2, .*and more\./,
    );
  });

  it("replaces every match if asked to", () => {
    assert.equal(edited(text, "return", "yield", true), text.replaceAll("return", "yield"));
    assert.equal(edited("aaaa", "aa", "b", true), "bb");
  });

  it("ignores white space at the ends of lines if nothing matches exactly", () => {
    const blanks = "if (a) {  \n  b();\t\n}\n";
    assert.equal(edited(blanks, "if (a) {\n  b();\n}", "c();"), "c();\n");
    assert.equal(edited(blanks, "  b();", "  d();"), "if (a) {  \n  d();\t\n}\n");
    assert.equal(edited(blanks, "if (a) {\n  b();\n", "c();\n"), "c();\n}\n");
    assert.equal(edited("a\nb c\n", "a  \nb", "x"), "x c\n");
    assert.equal(edited("a\nb\n", "a \nb  ", "x"), "x\n");
    // White space within a line counts.
    assert.match(faultOf("a\nbc\n", "a \nb ", "x"), /0 matches/);
    assert.match(faultOf("a  b", "a b", "x"), /0 matches/);
  });

  it("prefers an exact match to one with other white space", () => {
    assert.equal(edited("a \nb\na\nb\n", "a\nb", "x"), "a \nb\nx\n");
  });

  it("shows the nearest lines if nothing matches", () => {
    assert.equal(
      faultOf(text, "function two() {\n  return 3;\n}", "x"),
      [
        "oldText does not occur in the file (0 matches).",
        "The nearest lines of the file:",
        "4\t",
        "5\tfunction two() {",
        "6\t  return 2;",
        "7\t}",
        "8\t",
      ].join("\n"),
    );
    assert.match(faultOf(text, "function twofold() {", "x"), /1\tfunction one\(\) \{/);
    assert.equal(faultOf("a\n", "zzz", "x"), "oldText does not occur in the file (0 matches).");
  });

  it("names numbers of lines and marks of keys that came from a result", () => {
    assert.match(faultOf(text, "2\t  return 1;", "x"), /Leave out the line numbers of read_file\./);
    assert.match(faultOf("key = abc", "key = [API key]", "x"), /stands for a key that is not shown/);
  });

  it("refuses an edit without an effect or a place", () => {
    assert.equal(faultOf(text, "return 1;\r\n", "return 1;\n"), "oldText and newText are equal.");
    assert.match(faultOf(text, "", "x"), /^oldText is empty\./);
    assert.match(faultOf("a", "\n \n", "x"), /0 matches/);
  });

  it("refuses an edit whose text would be too large", () => {
    const result = faultOf("a".repeat(60_000), "a", "b".repeat(1000), true);
    assert.equal(result, "The file would become too large.");
  });

  it("keeps every fault below 2,000 characters", () => {
    const long = Array.from({ length: 300 }, (_, index) => `line ${index} ${"x".repeat(500)}`).join("\n");
    const searched = long.split("\n").slice(100, 200).join("\n").replace("line 150", "line of another kind");
    assert.ok(faultOf(long, searched, "x").length < 2000);
    assert.ok(faultOf("ab\n".repeat(5000), "ab", "x").length < 2000);
  });

  it("changes nothing but the match, for any text", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "\t", "{"), maxLength: 6 });
    const lines = fc.array(line, { maxLength: 8 }).map((each) => each.join("\n"));
    fc.assert(
      fc.property(lines, lines, lines, (head, middle, tail) => {
        const before = `${head}\nTARGET ${middle}\n${tail}`;
        assert.equal(edited(before, "TARGET", "NEW"), before.replace("TARGET", "NEW"));
        // White space at line ends is ignored, and nothing else is.
        const old = trimmed(`TARGET ${middle}`);
        assert.equal(trimmed(edited(before, old, "NEW")), trimmed(`${head}\nNEW\n${tail}`));
      }),
    );
  });
});

describe("an edit of cells", () => {
  const cells = ["import math", "", "area = math.pi\narea", "area"].map((source) => ({ source }));
  const editIn = (oldText: string, newText: string, replaceAll = false): readonly string[] | string => {
    const result = editCells(cells, { oldText, newText, replaceAll });
    return result.kind === "edited" ? result.sources : result.fault;
  };

  it("changes the only cell with the text, or every one of them", () => {
    const [first, empty, third, last] = cells.map(({ source }) => source);
    assert.deepEqual(editIn("math.pi\r\narea", "3"), [first, empty, "area = 3", last]);
    assert.deepEqual(editIn("", "x = 1"), [first, "x = 1", third, last]);
    assert.deepEqual(editIn("area", "a", true), [first, empty, "a = math.pi\na", "a"]);
  });

  it("is refused when it is unclear which cell is meant", () => {
    assert.match(String(editIn("math", "m")), /^oldText occurs in several cells: 1, 3\. /);
    assert.match(String(editIn("area = math.pi\narea\narea", "x")), /^oldText does not occur in any cell /);
    assert.match(String(editIn("a", "a")), /^oldText and newText are equal/);
    const once = editCells([{ source: "a a" }], { oldText: "a", newText: "b", replaceAll: false });
    assert.match(once.kind === "fault" ? once.fault : "", /^In cell 1: oldText occurs 2 times/);
    const full = editCells([{ source: "a" }], { oldText: "", newText: "b", replaceAll: false });
    assert.match(full.kind === "fault" ? full.fault : "", /has no empty cell/);
  });
});

describe("withPlainLineEnds", () => {
  it("replaces every kind of line end", () => {
    assert.equal(withPlainLineEnds("a\r\nb\rc\n\r\r\n"), "a\nb\nc\n\n\n");
  });
});
