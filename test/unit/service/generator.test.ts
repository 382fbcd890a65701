import assert from "node:assert/strict";
import { readDirections } from "../../service/directions.ts";
import { generateText } from "../../service/generator.ts";
import { countTokens, splitIntoTokens } from "../../service/tokens.ts";

const answerTo = (message: string): string => [...generateText(readDirections(message))].join("");

describe("reference service: generator", () => {
  it("quotes the start of the message on one line", () => {
    assert.match(answerTo("why\nis the sky blue?"), /> why is the sky blue\?\n/u);
    assert.match(answerTo("x".repeat(500)), /> x{80}…\n/u);
    assert.match(answerTo("   "), /\(an empty message\)/u);
    assert.match(answerTo("what is $& worth"), /> what is \$& worth\n/u);
  });

  it("returns the same text for the same message, and uses all four short answers", () => {
    const messages = Array.from({ length: 30 }, (_, index) => `message ${index}`);
    assert.deepEqual(messages.map(answerTo), messages.map(answerTo));
    const kinds = new Set(messages.map((message) => answerTo(message).replace(message, "")));
    assert.equal(kinds.size, 4);
  });

  it("returns a text of the requested length, plain or rich", () => {
    for (const length of [0, 1, 80, 10_000]) {
      assert.equal(answerTo(`/long ${length}`).length, length);
    }
    const rich = answerTo("/rich /long 20000");
    assert.equal(rich.length, 20_000);
    assert.match(rich, /# Part 2\n/u);
    const inSeedling = answerTo("/rich").indexOf("🌱") + 1;
    assert.doesNotMatch(answerTo(`/rich /long ${inSeedling + "# Part 1\n\n".length}`), /\p{Surrogate}/u);
  });

  it("uses every kind of Markdown in a rich text", () => {
    const text = answerTo("/rich");
    const kinds = [
      /^## /mu,
      /^- /mu,
      /^1\. /mu,
      /^- \[x\] /mu,
      /^\|:--/mu,
      /^> > /mu,
      /^---$/mu,
      /\*\*bold/u,
      /\]\(https/u,
    ];
    for (const kind of [...kinds, /^```typescript$/mu, /^```python$/mu, /^```rust$/mu, /^```sql$/mu]) {
      assert.match(text, kind);
    }
  });

  it("reads directions only as separate words", () => {
    assert.deepEqual(readDirections("/pace 50 tell\n/long 99 me /rich"), {
      length: 99,
      pace: 50,
      ending: undefined,
      rich: true,
      words: "tell me",
    });
    assert.deepEqual(
      ["/cut", "tell me /filter", "/cutting"].map((text) => readDirections(text).ending),
      ["cut", "filter", undefined],
    );
    const plain = readDirections("a/rich path/long 10 /longer 5 /pace fast");
    assert.deepEqual([plain.length, plain.pace, plain.rich], [undefined, undefined, false]);
    assert.equal(readDirections("/long 999999999").length, 5_000_000);
  });

  it("splits a text into tokens that join to the same text", () => {
    for (const text of ["", "  lead", "one two\n\nthree ", "🌱".repeat(40), "x".repeat(33)]) {
      const tokens = [...splitIntoTokens(text)];
      assert.equal(tokens.join(""), text);
      assert.equal(tokens.length, countTokens(text));
      assert.ok(tokens.every((token) => !/\p{Surrogate}/u.test(token)));
    }
    assert.equal(countTokens("x".repeat(33)), 3);
    assert.equal(countTokens("one two\n\nthree "), 3);
  });
});
