import assert from "node:assert/strict";
import fc from "fast-check";
import { readReview, reviewMessages } from "../../../../src/chat/edits/reviewComments.ts";

const file = ["one();", "two();", "  three();", "two();"];
const fenced = (value: unknown): string => `Here:\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\nDone.`;

/** The line, from 0, that `readReview` assigns to a comment on `line`, from 1. Undefined if it finds no line. */
function at(line: number, quote?: string): number | undefined {
  const comment = { line, ...(quote === undefined ? {} : { quote }), comment: "x" };
  return readReview(fenced([comment]), file)?.[0]?.line;
}

describe("readReview", () => {
  it("reads comments in a fence, as bare JSON, or in an object, with text around them", () => {
    const all = [{ line: 2, endLine: 3, severity: "error", comment: "It fails." }];
    const expected = [{ line: 1, end: 3, severity: "error", text: "It fails." }];
    assert.deepEqual(readReview(fenced(all), file), expected);
    assert.deepEqual(readReview(JSON.stringify(all), file), expected);
    assert.deepEqual(readReview(`I found this: ${JSON.stringify(all)}. That is all.`, file), expected);
    assert.deepEqual(readReview(fenced({ comments: all }), file), expected);
    assert.deepEqual(readReview(fenced([]), file), []);
  });

  it("prefers the line with the quote to the numbered line, and returns no line if both are missing", () => {
    assert.equal(at(1, "three();"), 2);
    assert.equal(at(4, "two();"), 3);
    assert.equal(at(1, "2| two();"), 1);
    assert.equal(at(2, "nowhere"), 1);
    assert.equal(at(99), undefined);
    assert.equal(at(99, "nowhere"), undefined);
    assert.equal(at(0), undefined);
    assert.equal(at(99, "one"), 0);
  });

  it("returns only lines of the file, whatever the numbers", () => {
    fc.assert(
      fc.property(fc.integer(), fc.option(fc.integer(), { nil: undefined }), (line, endLine) => {
        const read = readReview(fenced([{ line, endLine, comment: "x" }]), file);
        const [comment] = read ?? [];
        assert.ok(comment !== undefined);
        if (comment.line === undefined) return;
        assert.ok(comment.line >= 0 && comment.line < file.length);
        assert.ok(comment.end !== undefined && comment.end > comment.line && comment.end <= file.length);
      }),
    );
  });

  it("returns undefined if the JSON is missing or broken, or if a comment is invalid", () => {
    for (const answer of [
      "It is sound.",
      fenced([{ line: 1, comment: "x" }, { row: 2 }]),
      fenced([{ line: "1", comment: "x" }]),
      fenced([{ line: 1, comment: "" }]),
      "```json\n[{",
      "",
    ]) {
      assert.equal(readReview(answer, file), undefined, answer);
    }
  });
});

describe("reviewMessages", () => {
  it("sends the lines with their numbers", () => {
    const [message] = reviewMessages({
      path: "src/a.ts",
      language: "typescript",
      lines: file,
      start: 1,
      end: 3,
    });
    const [part] = message?.content ?? [];
    assert.ok(part?.type === "text");
    assert.match(part.text, /src\/a\.ts[^]*```typescript\n2\| two\(\);\n3\| {3}three\(\);\n```/);
    assert.doesNotMatch(part.text, /one\(\);/);
  });
});
