import type { Frame, Page } from "playwright-core";
import * as v from "valibot";
import { clockSkew } from "./paintProbe.ts";

const seenSchema = v.object({ at: v.number(), keys: v.array(v.number()) });

/** Milliseconds until a row was painted, from the first key and from the last key before the paint. */
export interface Shown {
  readonly sinceFirst: number;
  readonly sinceLast: number;
}

/**
 * A string, because the script runs in the page, not in this process. A row counts as shown only if no ancestor cuts
 * it off: a list may have more rows than it can show.
 */
const script = `(() => {
  window.listProbe?.stop();
  const isCutOffBy = (around, height) => {
    if (getComputedStyle(around).overflowY === "visible") return false;
    const { top, bottom } = around.getBoundingClientRect();
    return height < top || height > bottom;
  };
  const isInSight = (row) => {
    const { top, bottom } = row.getBoundingClientRect();
    for (let around = row.parentElement; around !== null; around = around.parentElement)
      if (isCutOffBy(around, (top + bottom) / 2)) return false;
    return top < bottom;
  };
  const probe = { stop: () => undefined };
  probe.watch = (rows, label) => {
    probe.stop();
    const { promise, resolve, reject } = Promise.withResolvers();
    const keys = [];
    let isOver = false;
    let isLooking = false;
    const find = () => [...document.querySelectorAll(rows)].filter((each) => each.textContent === label);
    const tell = (pressed) => {
      probe.stop();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve({ at: performance.timeOrigin + performance.now(), keys: pressed });
      port2.postMessage(null);
    };
    // Looks inside a frame, which does layout anyway. Keys pressed until then are too late for this frame.
    const look = () => {
      isLooking = true;
      const pressed = keys.slice();
      requestAnimationFrame(() => {
        if (isOver) return;
        const found = find();
        if (found.some(isInSight)) return tell(pressed);
        isLooking = false;
        // A row that scrolls into view, or that a style shows, causes no mutation.
        if (found.length > 0) look();
      });
    };
    const observer = new MutationObserver(() => {
      if (!isLooking && find().length > 0) look();
    });
    const onKey = ({ timeStamp }) => keys.push(performance.timeOrigin + timeStamp);
    const timer = setTimeout(() => {
      probe.stop();
      reject(new Error("The list never showed " + label));
    }, 120_000);
    probe.stop = () => {
      isOver = true;
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("keydown", onKey, true);
    };
    document.addEventListener("keydown", onKey, true);
    observer.observe(document, { childList: true, characterData: true, subtree: true });
    promise.catch(() => undefined);
    probe.shown = promise;
  };
  window.listProbe = probe;
})()`;

/** Reports when a row of a list was painted. */
export class ListProbe {
  readonly #frame: Frame | Page;
  readonly #labels: string;
  readonly #skew: number;

  private constructor(frame: Frame | Page, labels: string, skew: number) {
    this.#frame = frame;
    this.#labels = labels;
    this.#skew = skew;
  }

  /** @param labels selector of the rows' labels */
  static async in(frame: Frame | Page, labels: string): Promise<ListProbe> {
    await frame.evaluate(script);
    return new ListProbe(frame, labels, await clockSkew(frame));
  }

  /** Starts to record keys, until a row with this label is visible. */
  async watch(label: string): Promise<void> {
    await this.#frame.evaluate(`listProbe.watch(${JSON.stringify(this.#labels)}, ${JSON.stringify(label)})`);
  }

  async shown(): Promise<Shown> {
    const { at, keys } = await this.#seen();
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) throw new Error("The list appeared before any key.");
    return { sinceFirst: at - first, sinceLast: at - last };
  }

  /** When the row was painted, in milliseconds since 1970 by this process's clock. */
  async shownAt(): Promise<number> {
    return (await this.#seen()).at - this.#skew;
  }

  async #seen(): Promise<v.InferOutput<typeof seenSchema>> {
    return v.parse(seenSchema, await this.#frame.evaluate("listProbe.shown"));
  }
}
