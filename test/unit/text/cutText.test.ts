import assert from "node:assert/strict";
import fc from "fast-check";
import { readCommitMessage } from "../../../src/chat/commit/commitMessage.ts";
import { readCommitHistory, readConvention } from "../../../src/chat/commit/commitRequest.ts";
import { readPromptFile } from "../../../src/chat/prompts/promptFile.ts";
import { commonStart, wholeEnd, wholeStart, trimText } from "../../../src/text/cutText.ts";

/** Texts with surrogate pairs. 😀 and 😁 share their first surrogate. */
const texts = fc.string({ unit: fc.constantFrom("😀", "😁", "𝒜", "漢", "a") });

/** A text that a cut at `length` would split: its surrogate pair is at `length - 1` and `length`. */
const long = (length: number): string => `${"a".repeat(length - 1)}😀`;

describe("cuts of a text", () => {
  it("split no character, and return at most one UTF-16 unit less than requested", () => {
    fc.assert(
      fc.property(texts, fc.nat(20), (text, length) => {
        const [start, end] = [wholeStart(text, length), wholeEnd(text, length)];
        assert.ok(text.startsWith(start) && text.endsWith(end));
        for (const part of [start, end]) {
          assert.ok(part.isWellFormed());
          assert.ok(part.length <= length && part.length >= Math.min(length, text.length) - 1);
        }
      }),
    );
    assert.deepEqual([wholeStart("a😀b", 2), wholeEnd("a😀b", 2)], ["a", "b"]);
    assert.deepEqual([wholeStart("a😀b", 3), wholeEnd("a😀b", 3)], ["a😀", "😀b"]);
  });

  it("keep single surrogates that the text already contains", () => {
    assert.deepEqual([wholeStart("a\ud83d", 2), wholeEnd("\ude00a", 2)], ["a\ud83d", "\ude00a"]);
  });

  it("never split a character in commit and prompt files", () => {
    assert.deepEqual(readCommitHistory([long(200)]).subjects, ["a".repeat(199)]);
    assert.equal(readConvention(".gitmessage", long(2000))?.text, "a".repeat(1999));
    assert.equal(readCommitMessage(long(10_000)), "a".repeat(9999));
    const file = readPromptFile(
      "x.prompt.md",
      `---\ndescription: ${long(300)}\nname: ${"a".repeat(59)}𝒜\n---\n`,
    );
    assert.ok("name" in file);
    assert.deepEqual([file.description, file.name], ["a".repeat(299), "a".repeat(59)]);
  });
});

describe("commonStart", () => {
  it("ends between two characters in both texts", () => {
    assert.equal(commonStart("fix 😀", "fix 😁"), 4);
    assert.equal(commonStart("fix 😀 it", "fix 😀 that"), 7);
    // The second surrogate has not arrived yet.
    assert.equal(commonStart("fix \ud83d", "fix 😀"), 4);
    assert.equal(commonStart("fix 😀", "fix \ud83d"), 4);
    fc.assert(
      fc.property(texts, texts, texts, (start, one, other) => {
        const common = commonStart(start + one, start + other);
        assert.ok(common >= start.length);
        const [rest, otherRest] = [(start + one).slice(common), (start + other).slice(common)];
        assert.equal((start + one).slice(0, common), (start + other).slice(0, common));
        assert.ok(rest.isWellFormed() && otherRest.isWellFormed());
        assert.notEqual(rest.codePointAt(0) ?? -1, otherRest.codePointAt(0) ?? -2);
      }),
    );
  });
});

describe("trimText", () => {
  it("returns a short text unchanged", () => {
    assert.equal(trimText("abc", 3, "start"), "abc");
  });

  it("keeps whole lines at the given end and counts the characters left out", () => {
    const text = "one\ntwo\nthree\nfour\n";
    assert.equal(trimText(text, 10, "start"), "one\ntwo\n[11 characters left out]\n");
    assert.equal(trimText(text, 13, "end"), "[8 characters left out]\nthree\nfour\n");
  });

  it("never splits a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 20 }),
        fc.integer({ min: 1, max: 19 }),
        (text, characters) => {
          for (const kept of ["start", "end"] as const) {
            assert.ok(trimText(text, characters, kept).isWellFormed() || !text.isWellFormed());
          }
        },
      ),
    );
  });
});
