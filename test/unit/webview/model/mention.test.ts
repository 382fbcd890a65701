import assert from "node:assert/strict";
import { findMention } from "../../../../src/webview/model/mention.ts";
import { tokenText } from "../../../../src/webview/controls/tokenText.ts";

/** The mention where `|` marks the caret. */
function mentionIn(marked: string) {
  const caret = marked.indexOf("|");
  return findMention({ value: marked.replace("|", ""), selectionStart: caret, selectionEnd: caret });
}

describe("findMention", () => {
  it("finds a # at the start of a word, with what follows it up to the caret", () => {
    assert.deepEqual(mentionIn("#|"), { mark: "#", start: 0, end: 1, typed: "" });
    assert.deepEqual(mentionIn("see #src/a.t|s"), { mark: "#", start: 4, end: 12, typed: "src/a.t" });
    assert.deepEqual(mentionIn("one\n#two|"), { mark: "#", start: 4, end: 8, typed: "two" });
  });

  it("finds a / at the beginning only", () => {
    assert.deepEqual(mentionIn("/|"), { mark: "/", start: 0, end: 1, typed: "" });
    assert.deepEqual(mentionIn("/fi|x it"), { mark: "/", start: 0, end: 3, typed: "fi" });
    for (const text of ["a /fix|", " /fix|", "/etc/h|", "/fix it|", "\n/fix|", "//|"])
      assert.equal(mentionIn(text), undefined, text);
  });

  it("finds none in a heading, inside a word, behind a blank or in a selection", () => {
    for (const text of ["# Title|", "a#b|", "C# |", "##|", "text|"])
      assert.equal(mentionIn(text), undefined, text);
    assert.equal(findMention({ value: "#ab", selectionStart: 1, selectionEnd: 3 }), undefined);
  });
});

describe("tokenText", () => {
  it("says tokens in few characters", () => {
    const texts = [0, 999, 1000, 1234, 9960, 34_500].map(tokenText);
    assert.deepEqual(texts, ["0", "999", "1k", "1.2k", "10k", "35k"]);
  });
});
