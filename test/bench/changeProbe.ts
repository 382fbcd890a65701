/** When a page has painted the last change of what it draws. */
import type { Frame, Page } from "playwright-core";
import { clockSkew } from "./paintProbe.ts";

/** Where something is drawn: a document, and what it is in there, as an expression of the page. */
export interface DrawnPlace {
  readonly frame: Frame | Page;
  readonly root: string;
}

/**
 * What runs in the page is written as text: the tests themselves know of no page. As in the paint probe, what is posted
 * with a change comes in when that is painted. To note each change costs next to nothing beside drawing it.
 */
const scriptFor = (root: string): string => `(() => {
  window.changeProbe?.stop();
  const probe = { last: null };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { probe.last = performance.timeOrigin + performance.now(); };
  const observer = new MutationObserver(() => port2.postMessage(null));
  observer.observe(${root}, { childList: true, characterData: true, subtree: true });
  probe.stop = () => {
    observer.disconnect();
    port1.close();
  };
  window.changeProbe = probe;
})()`;

export class ChangeProbe implements AsyncDisposable {
  readonly #frame: Frame | Page;
  readonly #skew: number;

  private constructor(frame: Frame | Page, skew: number) {
    this.#frame = frame;
    this.#skew = skew;
  }

  static async in({ frame, root }: DrawnPlace): Promise<ChangeProbe> {
    await frame.evaluate(scriptFor(root));
    return new ChangeProbe(frame, await clockSkew(frame));
  }

  /** When the last change until now was painted, in milliseconds since 1970 by this process' clock. */
  async lastAt(): Promise<number> {
    const last = await this.#frame.evaluate<number | null>("changeProbe.last");
    if (last === null) throw new Error("Nothing was drawn.");
    return last - this.#skew;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#frame.evaluate("changeProbe.stop()");
  }
}
