import assert from "node:assert/strict";
import {
  CommandOutput,
  countForgotten,
  cutOutput,
  findInOutput,
  pageOfOutput,
  tailOf,
} from "../../../../src/chat/agent/commandOutput.ts";

async function outputOf(...chunks: readonly string[]): Promise<CommandOutput> {
  const output = new CommandOutput();
  for (const chunk of chunks) await output.add(chunk);
  return output;
}

describe("output of a command", () => {
  it("is kept as a whole when it is short", async () => {
    const output = await outputOf("a\r\n", "b", "c\r\nprompt: ");
    assert.equal(output.text(), "a\nbc\nprompt: ");
    assert.equal(output.recent(8), "prompt: ");
    assert.deepEqual(output.notes, []);
  });

  it("keeps whole lines of the start and the end of a flood, whatever its chunks", async () => {
    const lines = Array.from({ length: 500_000 }, (_, index) => `line ${index}\r\n`);
    const whole = lines.join("");
    const pieces = Array.from({ length: Math.ceil(whole.length / 100_000) }, (_, index) =>
      whole.slice(index * 100_000, (index + 1) * 100_000),
    );
    for (const chunks of [[whole], pieces]) {
      const output = await outputOf(...chunks);
      const text = output.text();
      assert.ok(
        text.length < 5_200_000 && text.startsWith("line 0\nline 1\n") && text.endsWith("\nline 499999\n"),
      );
      const [, before, left, after] =
        /\nline (\d+)\n\((\d+) characters are not kept\.\)\nline (\d+)\n/u.exec(text) ?? [];
      assert.ok(Number(before) > 100_000 && Number(after) < 400_000 && Number(left) > 500_000);
      assert.equal(output.recent(12), "line 499999\n");
      assert.equal(output.received, whole.length);
    }
  });

  it("says when it holds binary data or a full screen", async () => {
    assert.deepEqual((await outputOf("\0".repeat(20))).notes, [
      "(The output holds binary data, which is not shown in full.)",
    ]);
    assert.deepEqual((await outputOf("\x1b[?1049hx\x1b[?1049l")).notes, [
      "(What the command drew on the whole screen is not shown.)",
    ]);
  });
});

describe("outputs of ended commands", () => {
  it("are forgotten when they are many or large, the oldest first and never the newest", async () => {
    assert.equal(countForgotten([]), 0);
    assert.equal(countForgotten(Array.from({ length: 23 }, () => 1)), 3);
    assert.equal(countForgotten([1, 9_000_000, 9_000_000, 9_000_000]), 2);
    assert.equal(countForgotten([5, 30_000_000]), 1);
    assert.equal(countForgotten([30_000_000]), 0);
    assert.equal((await outputOf("a\n", "bc")).size, 4);
  });
});

describe("parts of an output", () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `row ${index}`).join("\n");

  it("are its start and its end in a result", () => {
    assert.deepEqual(cutOutput("a\n\n ", "c1"), { text: "a", isCut: false });
    assert.deepEqual(cutOutput("\n", "c1"), { text: "(No output.)", isCut: false });
    const { text, isCut } = cutOutput(long, "c1");
    assert.ok(isCut && text.length < 47_700 && text.startsWith("row 0\n") && text.endsWith("row 19999"));
    assert.ok(text.includes("Read them with read_output, id c1, offset 23600.)"));
  });

  it("are pages that join to the whole", () => {
    let joined = "";
    for (let offset = 0; offset < long.length; offset += 40_000) {
      const { text } = pageOfOutput(long, offset);
      joined += text.slice(text.indexOf("\n") + 1);
    }
    assert.equal(joined, long);
    assert.ok(pageOfOutput(long).text.endsWith("row 19999") && pageOfOutput(long).text.length < 40_100);
    assert.equal(pageOfOutput(long, 10_000_000).text, `(The output ends at ${long.length}.)`);
    assert.deepEqual(pageOfOutput("a\nb\n"), { text: "a\nb", isCut: false });
  });

  it("are lines that hold a text", () => {
    assert.deepEqual(findInOutput(long, "ROW 1999"), {
      text: [
        "2000\trow 1999",
        ...Array.from({ length: 10 }, (_, index) => `${19_991 + index}\trow ${19_990 + index}`),
      ].join("\n"),
      isCut: false,
      count: 11,
    });
    assert.equal(findInOutput(long, "none").text, "No line matches.");
    assert.ok(findInOutput(long, "row").isCut);
  });

  it("are whole lines at the end for the user", () => {
    assert.equal(tailOf("one\ntwo\nthree", 9), "three");
    assert.equal(tailOf("one two", 5), "e two");
    assert.equal(tailOf("one", 5), "one");
  });
});
