import assert from "node:assert/strict";
import { once } from "node:events";
import { SearchPace } from "../../../../src/webview/composer/searchPace.ts";

function start(): {
  readonly pace: SearchPace;
  readonly ask: (id: number) => void;
  readonly asked: number[];
} {
  const pace = new SearchPace();
  const asked: number[] = [];
  return { pace, asked, ask: (id) => pace.ask(id, () => void asked.push(id)) };
}

describe("SearchPace", () => {
  it("asks at once, and then for the newest once it is answered", () => {
    const { pace, ask, asked } = start();
    for (const id of [1, 2, 3]) ask(id);
    assert.deepEqual(asked, [1]);
    pace.answered(1);
    assert.deepEqual(asked, [1, 3]);
    // A list that is sent again is no answer to what was asked since.
    pace.answered(1);
    ask(4);
    assert.deepEqual(asked, [1, 3]);
    pace.answered(3);
    pace.answered(4);
    assert.deepEqual(asked, [1, 3, 4]);
    ask(5);
    assert.deepEqual(asked, [1, 3, 4, 5]);
    pace.forget();
  });

  it("asks nothing more once it is to forget, and at once what is new then", () => {
    const { pace, ask, asked } = start();
    ask(1);
    ask(2);
    pace.forget();
    pace.answered(1);
    assert.deepEqual(asked, [1]);
    ask(3);
    assert.deepEqual(asked, [1, 3]);
    pace.forget();
  });

  it("does not wait for ever for an answer", async () => {
    const { pace, ask, asked } = start();
    const second = new EventTarget();
    ask(1);
    const came = once(second, "asked");
    pace.ask(2, () => second.dispatchEvent(new Event("asked")));
    await came;
    assert.deepEqual(asked, [1]);
    pace.forget();
  });
});
