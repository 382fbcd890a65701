import assert from "node:assert/strict";
import { ReadingEnd } from "../../../../src/webview/scrolling/stickyScroll.ts";

/** A box 100 pixels high with 1000 pixels of content, scrolled to its end. */
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
  it("is left by scrolling up, even by 3 pixels and while text streams", () => {
    for (const step of [3, 40]) {
      const { box, end, scrollTo } = startAtEnd();
      scrollTo(900 - step);
      assert.equal(end.isReached, false, `${step} pixels`);
      box.scrollHeight += 20;
      scrollTo(900 - step);
      assert.equal(end.isReached, false, "growth does not lead back");
    }
  });

  it("is not left when the content grows, or shrinks and moves the end up", () => {
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

  it("is reached again by scrolling down to within a short distance", () => {
    const { changes, scrollTo } = startAtEnd();
    scrollTo(500);
    scrollTo(860);
    assert.deepEqual(changes, [false]);
    scrollTo(875);
    assert.deepEqual(changes, [false, true]);
  });

  it("is left if a press opens something, unless all of it is in view", () => {
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

  it("is reached if the page scrolls the box near the end", () => {
    const { box, end, scrollTo } = startAtEnd();
    end.placed({ ...box, scrollTop: 300 });
    assert.equal(end.isReached, false);
    scrollTo(300);
    assert.equal(end.isReached, false);
    end.placed({ ...box, scrollTop: 880 });
    assert.equal(end.isReached, true);
  });
});
