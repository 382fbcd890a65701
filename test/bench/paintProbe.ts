/**
 * When what a page shows was painted. A frame's text counts as painted when a message that was posted while
 * the frame was drawn comes in: it comes once style, layout and paint of that frame are done. Element
 * timing tells only the first paint of an element, and a second animation frame comes a whole frame later,
 * however quick the painting was.
 */
import type { Frame, Page } from "playwright-core";

/** Part of an arriving text by which the probe knows it again. */
export function markOf(index: number): string {
  return `t${String(index).padStart(6, "0")}`;
}

interface Painted {
  /** Of the last part on the screen. */
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Where the arriving text is, as expressions of the page: what it is in, and its end. */
export interface PaintedPlace {
  readonly root: string;
  readonly text: string;
}

/** What the chat page is drawn in, as an expression of it. */
const pageRoot = "document.getElementById('root')";

const ourPlace: PaintedPlace = {
  root: pageRoot,
  text: "[...document.querySelectorAll('.markdown')].at(-1)?.lastElementChild?.lastElementChild?.textContent",
};

/** What runs in the page is written as text: the tests themselves know of no page. */
const scriptFor = ({ root, text }: PaintedPlace): string => `(() => {
  window.paintProbe?.stop();
  const probe = { painted: [], keys: [] };
  const now = () => performance.timeOrigin + performance.now();
  const behind = (act) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => act(now());
    channel.port2.postMessage(null);
  };
  const observer = new MutationObserver(() => {
    const text = ${text};
    const mark = text?.slice(-200).match(/t(\\d{6})/g)?.at(-1);
    if (mark) behind((at) => probe.painted.push({ index: Number(mark.slice(1)), at }));
  });
  observer.observe(${root}, { childList: true, characterData: true, subtree: true });
  const onKey = ({ timeStamp }) => {
    probe.keys.push(new Promise((resolve) => {
      requestAnimationFrame(() => behind(() => resolve(performance.now() - timeStamp)));
    }));
  };
  document.addEventListener("keydown", onKey, true);
  probe.stop = () => {
    observer.disconnect();
    document.removeEventListener("keydown", onKey, true);
  };
  window.paintProbe = probe;
})()`;

export class PaintProbe implements AsyncDisposable {
  readonly #frame: Frame | Page;
  readonly #skew: number;

  private constructor(frame: Frame | Page, skew: number) {
    this.#frame = frame;
    this.#skew = skew;
  }

  /** In the place of the one that was in the frame before. */
  static async in(frame: Frame | Page, place: PaintedPlace = ourPlace): Promise<PaintProbe> {
    await frame.evaluate(scriptFor(place));
    return new PaintProbe(frame, await clockSkew(frame));
  }

  /** What was painted since it was last asked for, by this process' clock. */
  async takePainted(): Promise<readonly Painted[]> {
    const painted = await this.#frame.evaluate<readonly Painted[]>("paintProbe.painted.splice(0)");
    return painted.map(({ index, at }) => ({ index, at: at - this.#skew }));
  }

  /** Milliseconds from each key's press to the frame behind it, which is waited for. */
  async takeKeys(): Promise<readonly number[]> {
    return this.#frame.evaluate<readonly number[]>("Promise.all(paintProbe.keys.splice(0))");
  }

  /** What is measured behind it is not to carry what it costs to look at each change. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#frame.evaluate("paintProbe.stop()");
  }
}

/** How far the page's clock is ahead of this process', by the quickest of some questions. */
export async function clockSkew(frame: Frame | Page): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, skew: 0 };
  for (let count = 0; count < 30; count += 1) {
    const asked = nowInEpoch();
    const theirs = await frame.evaluate<number>("performance.timeOrigin + performance.now()");
    const took = nowInEpoch() - asked;
    if (took < best.took) best = { took, skew: theirs - (asked + took / 2) };
  }
  return best.skew;
}

/** Milliseconds since 1970, in fractions. */
export function nowInEpoch(): number {
  return performance.timeOrigin + performance.now();
}
