import assert from "node:assert/strict";
import { ReadingEnd } from "../../../../src/webview/scrolling/stickyScroll.ts";

/** A box of a hundred pixels with a thousand in it, scrolled to its end. */
function startAtEnd() {
  const box = { scrollTop: 900, scrollHeight: 1000, clientHeight: 100 };
  const changes: boolean[] = [];
  const end = new ReadingEnd((isReached) => changes.push(isReached));
  end.scrolledToEnd(box);
  return {
    box,
    end,
    changes,
    scrollTo: (top: number): void => {
      box.scrollTop = top;
      end.scrolled(box);
    },
  };
}

describe("ReadingEnd", () => {
  it("is left by going up, however little, also while text flows", () => {
    for (const step of [3, 40]) {
      const { box, end, scrollTo } = startAtEnd();
      scrollTo(900 - step);
      assert.equal(end.isReached, false, `${step} pixels`);
      box.scrollHeight += 20;
      scrollTo(900 - step);
      assert.equal(end.isReached, false, "growth does not lead back");
    }
  });

  it("is not left by growth, nor where what shrinks moves the end up", () => {
    const { box, end, changes, scrollTo } = startAtEnd();
    box.scrollHeight = 1500;
    scrollTo(900);
    end.scrolledToEnd({ ...box, scrollTop: 1400 });
    box.scrollHeight = 1200;
    scrollTo(1100);
    box.scrollHeight = 1200.5;
    scrollTo(1099.75);
    assert.deepEqual(changes, []);
  });

  it("is come to again from above, a little ahead of it", () => {
    const { changes, scrollTo } = startAtEnd();
    scrollTo(500);
    scrollTo(860);
    assert.deepEqual(changes, [false]);
    scrollTo(875);
    assert.deepEqual(changes, [false, true]);
  });

  it("is left by what a press opens, unless all of it is in view", () => {
    const { box, end, changes } = startAtEnd();
    end.opened(box);
    assert.deepEqual(changes, []);
    box.scrollHeight += 10;
    end.opened(box);
    assert.deepEqual(changes, [false]);
    box.scrollHeight -= 10;
    end.opened(box);
    assert.deepEqual(changes, [false, true]);
  });

  it("is where the page puts the box near it", () => {
    const { box, end, scrollTo } = startAtEnd();
    end.placed({ ...box, scrollTop: 300 });
    assert.equal(end.isReached, false);
    scrollTo(300);
    assert.equal(end.isReached, false);
    end.placed({ ...box, scrollTop: 880 });
    assert.equal(end.isReached, true);
  });
});
