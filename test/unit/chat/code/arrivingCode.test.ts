import assert from "node:assert/strict";
import fc from "fast-check";
import { ArrivingCode } from "../../../../src/chat/code/arrivingCode.ts";
import { fenceFor } from "../../../../src/text/markdown/codeFences.ts";
import { indentLike } from "../../../../src/text/indentation.ts";
import { processorTime } from "../../processorTime.ts";

const line = fc.constantFrom("", "  ", "call();", "```ts", "```", "````", "~~~", "  indented", "}");
const code = fc.array(line, { maxLength: 12 });

function read(answer: string, old: readonly string[] = []): ArrivingCode {
  const arriving = new ArrivingCode(old);
  arriving.push(answer);
  arriving.finish();
  return arriving;
}

describe("ArrivingCode", () => {
  it("reads the same code however the answer is split into chunks", () => {
    const words = fc.constantFrom("", "Here it is:\n\n", "Sure.\n");
    fc.assert(
      fc.property(code, words, fc.array(fc.integer({ min: 1, max: 7 })), (lines, ahead, cuts) => {
        const fence = fenceFor(lines.join("\n"));
        const answer = `${ahead}${fence}ts\n${lines.map((each) => `${each}\n`).join("")}${fence}\n\nThat was it.`;
        const arriving = new ArrivingCode([]);
        let from = 0;
        for (const cut of cuts) {
          arriving.push(answer.slice(from, from + cut));
          from += cut;
        }
        arriving.push(answer.slice(from));
        arriving.finish();
        assert.deepEqual(arriving.lines, lines);
        assert.ok(arriving.isWhole);
      }),
    );
  });

  it("takes the first block, removes a list's indent, and accepts LF and CRLF", () => {
    assert.deepEqual(
      read("1. So:\r\n   ```js\r\n   one();\r\n     two();\r\n   ```\r\n```\nother\n```").lines,
      ["one();", "  two();"],
    );
    assert.deepEqual(read("~~~\na\n```\nb\n~~~").lines, ["a", "```", "b"]);
    assert.ok(!read("I would not change it.").hasCode);
    assert.ok(!read("```js\nhalf();").isWhole);
  });

  it("reads a line of 600,000 characters in less than a second", () => {
    const arriving = new ArrivingCode([]);
    const pieces = 60_000;
    const time = processorTime(() => {
      arriving.push("```\n");
      for (let piece = 0; piece < pieces; piece += 1) arriving.push("no break; ");
      arriving.finish();
    });
    assert.equal(arriving.lines[0]?.length, 10 * pieces);
    assert.ok(time < 1000, `${time} ms`);
  });

  it("shows the remaining old lines after the lines that have arrived", () => {
    const old = ["first();", "second();", "third();", "fourth();"];
    const arriving = new ArrivingCode(old);
    const shown = (): readonly string[] => [...arriving.lines, ...arriving.rest];
    assert.deepEqual(shown(), old);
    arriving.push("```\nfirst();\nnew();\n");
    assert.deepEqual(shown(), ["first();", "new();", "third();", "fourth();"]);
    arriving.push("second();\n");
    assert.deepEqual(shown(), ["first();", "new();", "second();", "third();", "fourth();"]);
    arriving.push("fourth();\n```\n");
    assert.deepEqual(shown(), ["first();", "new();", "second();", "fourth();"]);
  });
});

describe("indentLike", () => {
  it("indents code like the lines it replaces and keeps its relative indents", () => {
    assert.deepEqual(indentLike(["if (a) {", "  b();", "}", ""], ["    if (x) {", "    }"]), [
      "    if (a) {",
      "      b();",
      "    }",
      "",
    ]);
    assert.deepEqual(indentLike(["    deep();", "  }"], ["    deep();", "  }"]), ["    deep();", "  }"]);
  });
});
