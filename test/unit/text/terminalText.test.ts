import assert from "node:assert/strict";
import fc from "fast-check";
import { TerminalText } from "../../../src/text/terminalText.ts";

function read(chunks: readonly string[]): string {
  const text = new TerminalText();
  return chunks.map((chunk) => text.push(chunk)).join("") + text.openRows;
}

/** Output of programs, and its text. */
const cases: Readonly<Record<string, string>> = {
  "a\r\nb\r\n": "a\nb\n",
  "\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[m": "red x",
  "\x1b]633;C\x07out\x1b]633;D;0\x07": "out",
  "\x1b]8;;https://h.example\x1b\\link\x1b]8;;\x1b\\ end": "link end",
  "\x1b]0;title\x07\x1bPq#0\x1b\\a\x1b(Bb\x1b=c": "abc",
  "10%\r20%\r30%\r\n": "30%\n",
  "long text\rshort\x1b[K\n": "short\n",
  "abc\b\b\x1b[KX": "aX",
  "one\ntwo\n\x1b[2A\x1b[2Knew\n\x1b[1Bend": "new\ntwo\nend",
  "a\x1b[5Cb\x1b[2Gc": "ac    b",
  "before\n\x1b[?1049hscreen\x1b[?1049lafter": "before\nafter",
  "kept\n\x1b[H\x1b[2J\x1b[3Jnew": "kept\nnew",
  "a\x07\0b\x0e": "ab",
  "\x1b]unended\nnext": "\nnext",
  "\x9b1mx\x9d8;;\x9cy": "xy",
};

describe("text of a terminal", () => {
  it("leaves out sequences, and follows redraws", () => {
    for (const [output, text] of Object.entries(cases))
      assert.equal(read([output]), text, JSON.stringify(output));
  });

  it("leaves out the mark of zsh after output without a line break", () => {
    const mark = `\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m${" ".repeat(79)}\r \r`;
    assert.equal(read([`no line end${mark}`]), "no line end");
  });

  it("is the same for output in any chunks", () => {
    const piece = fc.oneof(fc.constantFrom(...Object.keys(cases)), fc.string());
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, lengths) => {
        const output = pieces.join("");
        const chunks: string[] = [];
        let at = 0;
        for (const length of lengths) {
          chunks.push(output.slice(at, at + length));
          at += length;
        }
        assert.equal(read([...chunks, output.slice(at)]), read([output]));
      }),
    );
  });

  it("is the same for many plain lines, read at once or one by one", () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\r\n`);
    const output = `${lines.join("")}\x1b[3A\x1b[2Kredrawn\x1b[3B`;
    assert.equal(read([output]), read([...lines, "\x1b[3A\x1b[2Kredrawn\x1b[3B"]));
    assert.ok(read([output]).endsWith("line 4996\nredrawn\nline 4998\nline 4999\n"));
  });

  it("stays small when a program moves the cursor far to the right", () => {
    const text = new TerminalText();
    text.push("\x1b[400C".repeat(100_000));
    assert.ok(text.push("x").length + text.openRows.length <= 65_537);
  });

  it("tells a full screen, and characters that no text has", () => {
    const text = new TerminalText();
    text.push("a\0\ufffdb");
    assert.deepEqual([text.unreadable, text.usesAlternateScreen], [2, false]);
    text.push("\x1b[?1049h");
    assert.ok(text.usesAlternateScreen);
  });
});
