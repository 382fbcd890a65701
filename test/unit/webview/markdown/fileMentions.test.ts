import assert from "node:assert/strict";
import { FileLookupQueue } from "../../../../src/webview/markdown/fileMentions.ts";

const namesFrom = (start: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `src/${start + index}.ts`);

describe("FileLookupQueue", () => {
  it("requests each name once, and limits the names per message", () => {
    const names = new FileLookupQueue();
    for (const name of [...namesFrom(0, 250), ...namesFrom(0, 250)]) assert.ok(names.add(name));
    assert.deepEqual(names.consume(), [namesFrom(0, 200), namesFrom(200, 50)]);
    assert.deepEqual(names.consume(), []);
  });

  it("requests missing names again, but not found ones", () => {
    const names = new FileLookupQueue();
    for (const name of ["src/a.ts", "src/b.ts", "src/gone.ts"]) names.add(name);
    names.consume();
    names.found("src/a.ts");
    names.requeue(["src/b.ts"]);
    assert.ok(names.add("src/a.ts"));
    assert.ok(names.isKnown("src/a.ts"));
    assert.deepEqual(names.consume(), [["src/b.ts"]]);
  });

  it("limits the missing names per chat, but not the found ones", () => {
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

  it("requests no names of a chat that has left the page", () => {
    const names = new FileLookupQueue();
    names.add("src/a.ts");
    names.forget();
    assert.deepEqual(names.consume(), []);
  });
});
