import assert from "node:assert/strict";
import fc from "fast-check";
import { MarkdownSplitter } from "../../../../src/text/markdown/markdownBlocks.ts";
import { blocksInParts, blocksOfPieces, blocksOfWhole, cut } from "./drawnBlocks.ts";
import { markdownSamples } from "./markdownSamples.ts";

const all = Object.values(markdownSamples).flat();

describe("streamed Markdown", () => {
  it("is tested with at least 250 samples", () => assert.ok(all.length >= 250, String(all.length)));

  for (const [chapter, samples] of Object.entries(markdownSamples)) {
    it(`is parsed like the whole text: ${chapter}`, () => {
      for (const sample of samples) {
        const text = `${sample}\n`;
        assert.deepEqual(blocksInParts([text]), blocksOfWhole(text), text);
      }
    });

    it(`gives the same result wherever the text is split: ${chapter}`, () => {
      for (const text of samples) {
        const whole = blocksInParts([text]);
        for (let at = 1; at < text.length; at += 1) {
          assert.deepEqual(blocksInParts([text.slice(0, at), text.slice(at)]), whole, text);
        }
        assert.deepEqual(blocksInParts(cut(text, 1)), whole, text);
      }
    });

    it(`shows the text so far after each line: ${chapter}`, () => {
      for (const text of samples.flatMap(endsOfLines)) {
        const splitter = new MarkdownSplitter();
        const pieces = cut(text, 3).flatMap((part) => splitter.push(part));
        pieces.push(...splitter.openPieces());
        assert.deepEqual(blocksOfPieces(pieces), blocksInParts([text]), text);
      }
    });
  }

  it("gives the same result for any sequence of samples, split at random", () => {
    const texts = fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 6 });
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(texts, lengths, fc.constantFrom("\n", "\n\n", "\n> ", "\n- "), (parts, sizes, between) => {
        const text = parts.join(between);
        assert.deepEqual(blocksInParts(cut(text, ...sizes)), blocksInParts([text]));
      }),
      { numRuns: 100 },
    );
  });
});

/** The text up to the end of each line. A line without its end may still be shown differently. */
function endsOfLines(text: string): string[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => text.slice(0, index + 1));
}
