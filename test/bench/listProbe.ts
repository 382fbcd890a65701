import type { Frame, Page } from "playwright-core";
import * as v from "valibot";
import { clockSkew } from "./paintProbe.ts";

const seenSchema = v.object({ at: v.number(), keys: v.array(v.number()) });

/** Milliseconds from the first key, and from the last one before it, until a row of a list was painted. */
export interface Shown {
  readonly sinceFirst: number;
  readonly sinceLast: number;
}

/** What runs in the page is written as text: the tests themselves know of no page. */
const script = `(() => {
  const probe = { isSo: undefined, keys: [], found: undefined };
  const look = () => {
    if (!probe.isSo()) return;
    probe.isSo = undefined;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        const at = performance.timeOrigin + performance.now();
        probe.found({ at, keys: probe.keys.map((key) => performance.timeOrigin + key) });
      };
      channel.port2.postMessage(null);
    });
  };
  new MutationObserver(() => probe.isSo && look())
    .observe(document, { childList: true, characterData: true, subtree: true });
  document.addEventListener("keydown", ({ timeStamp }) => {
    if (probe.isSo) probe.keys.push(timeStamp);
  }, true);
  probe.watch = (isSo, what) => {
    probe.keys = [];
    probe.shown = new Promise((resolve, reject) => {
      probe.found = resolve;
      setTimeout(() => reject(new Error("The list never showed " + what)), 30_000);
    });
    probe.shown.catch(() => undefined);
    probe.isSo = isSo;
  };
  window.listProbe = probe;
})()`;

/** Tells when a row of a list was painted, by the clock of the page that shows it. */
export class ListProbe {
  readonly #frame: Frame | Page;
  readonly #labels: string;
  readonly #skew: number;

  private constructor(frame: Frame | Page, labels: string, skew: number) {
    this.#frame = frame;
    this.#labels = labels;
    this.#skew = skew;
  }

  /** @param labels the selector of the rows' labels */
  static async in(frame: Frame | Page, labels: string): Promise<ListProbe> {
    await frame.evaluate(script);
    return new ListProbe(frame, labels, await clockSkew(frame));
  }

  /** From now on keys are counted, until a row of this label is there. */
  async watch(label: string): Promise<void> {
    await this.#watch(label, "some");
  }

  /** The same, until no row of this label is there any more. */
  async watchGone(label: string): Promise<void> {
    await this.#watch(label, "none");
  }

  async shown(): Promise<Shown> {
    const { at, keys } = await this.#seen();
    const [first, last] = [keys[0], keys.at(-1)];
    if (first === undefined || last === undefined) throw new Error("The list came without a key.");
    return { sinceFirst: at - first, sinceLast: at - last };
  }

  /** When it was painted, in milliseconds since 1970 by this process' clock. */
  async shownAt(): Promise<number> {
    return (await this.#seen()).at - this.#skew;
  }

  async #seen(): Promise<v.InferOutput<typeof seenSchema>> {
    return v.parse(seenSchema, await this.#frame.evaluate("listProbe.shown"));
  }

  async #watch(label: string, wanted: "some" | "none"): Promise<void> {
    const rows = `[...document.querySelectorAll(${JSON.stringify(this.#labels)})]`;
    const isThere = `${rows}.some((each) => each.textContent === ${JSON.stringify(label)})`;
    const isSo = wanted === "some" ? isThere : `!${isThere}`;
    await this.#frame.evaluate(`listProbe.watch(() => ${isSo}, ${JSON.stringify(label)})`);
  }
}
