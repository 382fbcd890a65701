import type { Frame, Page } from "playwright-core";
import * as v from "valibot";

const shownSchema = v.object({ sinceFirst: v.number(), sinceLast: v.number() });

/** Milliseconds from the first key, and from the last one before it, until a row of a list was painted. */
export type Shown = v.InferOutput<typeof shownSchema>;

/** What runs in the page is written as text: the tests themselves know of no page. */
function scriptFor(labels: string): string {
  return `(() => {
    const probe = { wanted: undefined, keys: [], found: undefined };
    const look = () => {
      const { wanted, keys } = probe;
      if (![...document.querySelectorAll(${JSON.stringify(labels)})].some((each) => each.textContent === wanted)) return;
      probe.wanted = undefined;
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const now = performance.now();
          probe.found({ sinceFirst: now - keys[0], sinceLast: now - keys.at(-1) });
        };
        channel.port2.postMessage(null);
      });
    };
    new MutationObserver(() => probe.wanted && look())
      .observe(document, { childList: true, characterData: true, subtree: true });
    document.addEventListener("keydown", ({ timeStamp }) => {
      if (probe.wanted) probe.keys.push(timeStamp);
    }, true);
    probe.watch = (wanted) => {
      probe.keys = [];
      probe.shown = new Promise((resolve, reject) => {
        probe.found = resolve;
        setTimeout(() => reject(new Error("The list never showed " + wanted)), 30_000);
      });
      probe.shown.catch(() => undefined);
      probe.wanted = wanted;
    };
    window.listProbe = probe;
  })()`;
}

/** Tells when a row of a list was painted, by the clock of the page that shows it. */
export class ListProbe {
  readonly #frame: Frame | Page;

  private constructor(frame: Frame | Page) {
    this.#frame = frame;
  }

  /** @param labels the selector of the rows' labels */
  static async in(frame: Frame | Page, labels: string): Promise<ListProbe> {
    await frame.evaluate(scriptFor(labels));
    return new ListProbe(frame);
  }

  /** From now on keys are counted, until a row of this label is there. */
  async watch(label: string): Promise<void> {
    await this.#frame.evaluate(`listProbe.watch(${JSON.stringify(label)})`);
  }

  async shown(): Promise<Shown> {
    return v.parse(shownSchema, await this.#frame.evaluate("listProbe.shown"));
  }
}
