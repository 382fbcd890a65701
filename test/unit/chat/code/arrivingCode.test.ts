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
  it("reads the code between words, however the answer is cut into pieces", () => {
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

  it("takes the first block, without the indent of a list, and with either line break", () => {
    assert.deepEqual(
      read("1. So:\r\n   ```js\r\n   one();\r\n     two();\r\n   ```\r\n```\nother\n```").lines,
      ["one();", "  two();"],
    );
    assert.deepEqual(read("~~~\na\n```\nb\n~~~").lines, ["a", "```", "b"]);
    assert.ok(!read("I would not change it.").hasCode);
    assert.ok(!read("```js\nhalf();").isWhole);
  });

  it("takes a long line in as little time as short ones", () => {
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

  it("shows the old lines that have not come yet behind those that have", () => {
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
  it("gives code the indent of what it stands for, and keeps its own within", () => {
    assert.deepEqual(indentLike(["if (a) {", "  b();", "}", ""], ["    if (x) {", "    }"]), [
      "    if (a) {",
      "      b();",
      "    }",
      "",
    ]);
    assert.deepEqual(indentLike(["    deep();", "  }"], ["    deep();", "  }"]), ["    deep();", "  }"]);
  });
});
