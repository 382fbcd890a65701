import assert from "node:assert/strict";
import { FileLookupQueue } from "../../../../src/webview/markdown/fileMentions.ts";

const namesFrom = (start: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `src/${start + index}.ts`);

describe("FileLookupQueue", () => {
  it("asks for each name once, no more in one message than it takes", () => {
    const names = new FileLookupQueue();
    for (const name of [...namesFrom(0, 250), ...namesFrom(0, 250)]) assert.ok(names.add(name));
    assert.deepEqual(names.consume(), [namesFrom(0, 200), namesFrom(200, 50)]);
    assert.deepEqual(names.consume(), []);
  });

  it("asks again for what was not found, and not for what was", () => {
    const names = new FileLookupQueue();
    for (const name of ["src/a.ts", "src/b.ts", "src/gone.ts"]) names.add(name);
    names.consume();
    names.found("src/a.ts");
    names.requeue(["src/b.ts"]);
    assert.ok(names.add("src/a.ts"));
    assert.ok(names.isKnown("src/a.ts"));
    assert.deepEqual(names.consume(), [["src/b.ts"]]);
  });

  it("asks on after thousands: for what was found there is no limit, and each chat has its own", () => {
    const names = new FileLookupQueue();
    for (const name of namesFrom(0, 2000)) names.add(name);
    names.consume();
    assert.ok(!names.add("src/more.ts"));
    names.found("src/0.ts");
    assert.ok(names.add("src/more.ts"));
    names.forget();
    for (const name of namesFrom(5000, 2000)) assert.ok(names.add(name));
    assert.equal(names.consume().length, 10);
    assert.ok(names.isKnown("src/0.ts"), "the workspace is the same");
  });

  it("asks nothing more of a chat that has gone", () => {
    const names = new FileLookupQueue();
    names.add("src/a.ts");
    names.forget();
    assert.deepEqual(names.consume(), []);
  });
});
