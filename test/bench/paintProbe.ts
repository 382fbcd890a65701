/**
 * Measures when a page paints. A frame counts as painted when a message arrives that was posted while the frame was
 * drawn. Style, layout and paint of the frame are done by then. Other ways are less exact: element timing reports only
 * the first paint of an element. A second animation frame comes a whole frame later, however fast the paint was.
 */
import type { Frame, Page } from "playwright-core";

/** Returns a marker that lets the probe identify a part of a streamed text. */
export function markOf(index: number): string {
  return `t${String(index).padStart(6, "0")}`;
}

interface Painted {
  /** Index of the last part on the screen. */
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Page expressions for the streamed text: its container, and its last text. */
export interface PaintedPlace {
  readonly root: string;
  readonly text: string;
}

/** Page expression for the root element of the chat page. */
const pageRoot = "document.getElementById('root')";

const ourPlace: PaintedPlace = {
  root: pageRoot,
  text: "[...document.querySelectorAll('.markdown')].at(-1)?.lastElementChild?.lastElementChild?.textContent",
};

/** A string, because the script runs in the page, not in this process. */
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

  /** Installs the probe in the frame, in place of an earlier one. */
  static async in(frame: Frame | Page, place: PaintedPlace = ourPlace): Promise<PaintProbe> {
    await frame.evaluate(scriptFor(place));
    return new PaintProbe(frame, await clockSkew(frame));
  }

  /** Returns what was painted since the last call, with times by this process's clock. */
  async takePainted(): Promise<readonly Painted[]> {
    const painted = await this.#frame.evaluate<readonly Painted[]>("paintProbe.painted.splice(0)");
    return painted.map(({ index, at }) => ({ index, at: at - this.#skew }));
  }

  /** Waits for the frame that follows each key. Returns the milliseconds from key to frame. */
  async takeKeys(): Promise<readonly number[]> {
    return this.#frame.evaluate<readonly number[]>("Promise.all(paintProbe.keys.splice(0))");
  }

  /** Stops the probe: looking at each change would add its cost to later measurements. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#frame.evaluate("paintProbe.stop()");
  }
}

/**
 * Returns how many milliseconds the page's clock is ahead of this process's clock. Uses the fastest of 30 round
 * trips.
 */
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

/** Milliseconds since 1970, with fractions. */
export function nowInEpoch(): number {
  return performance.timeOrigin + performance.now();
}
