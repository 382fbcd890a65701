import { setTimeout as wait } from "node:timers/promises";
import type { ConsoleMessage } from "playwright-core";
import { atMost, type BenchLine, type BenchResult, type BenchSize, milliseconds } from "./benchRow.ts";
import { clockSkew, nowInEpoch } from "./paintProbe.ts";
import { openEmptyView } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";

const views = { ours: "inference.openChat", empty: openEmptyView } as const;
type View = keyof typeof views;

/** Prefix of the page's log message; the time follows. */
const mark = "bench: a box takes text at ";
const warmRuns = 3;
/** Number of fresh windows for each view: times differ by a third or more between windows. */
const coldRuns = 15;

/** Runs in the page of each webview: logs when its text box is painted and accepts input. */
const watchBox = `(() => {
  const isShown = () => frameElement?.id === "active-frame" && frameElement.style.visibility !== "hidden";
  const look = () => {
    const box = document.querySelector("textarea");
    if (box === null || box.disabled || !isShown()) return setTimeout(look, 4);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => console.debug("${mark}" + (performance.timeOrigin + performance.now()));
    port2.postMessage(null);
  };
  if (frameElement?.id.endsWith("-frame")) look();
})()`;

/** Milliseconds from the command; the views take turns. */
type Times = Readonly<Record<View, number[]>>;

/** Row 8: from the command until a text box accepts input, compared with a view that has only such a box. */
export async function benchOpeningView({ runs, scale }: BenchSize): Promise<BenchResult> {
  const editor = await sharedEditor();
  await editor.start();
  await editor.page.context().addInitScript(watchBox);
  // Leaves an empty chat and hides its view, because later windows restore both.
  await editor.probe.call("run", { command: "inference.newChat" });
  await editor.thread.becomesStill();
  await hide(editor);
  const cold: Times = { ours: [], empty: [] };
  const warm: Times = { ours: [], empty: [] };
  for (let run = 0; run < (scale === 1 ? coldRuns : runs); run += 1) {
    for (const view of run % 2 === 0 ? (["ours", "empty"] as const) : (["empty", "ours"] as const)) {
      // The second view in a window would find VS Code's own webview code already loaded.
      if (scale === 1) await editor.becomeFresh();
      await editor.start();
      cold[view].push(await open(editor, view));
      for (let again = 0; again < (scale === 1 ? warmRuns : 1); again += 1) {
        await hide(editor);
        warm[view].push(await open(editor, view));
      }
      await hide(editor);
    }
  }
  return { lines: [lineOf("cold", cold), lineOf("warm", warm)], figures: [] };
}

function lineOf(which: string, { ours, empty }: Times): BenchLine {
  const ratio = median(ours.map((time, run) => time / (empty[run] ?? Number.NaN)));
  return {
    what: `composer takes text, ${which}`,
    ours: milliseconds(median(ours)),
    limit: { name: "empty view", ...milliseconds(median(empty)) },
    ratio,
    goal: atMost(ratio, 1.6),
  };
}

async function open({ page, probe }: ProbedEditor, view: View): Promise<number> {
  const skew = await clockSkew(page);
  const isMark = (message: ConsoleMessage): boolean => message.text().startsWith(mark);
  const told = page.waitForEvent("console", isMark);
  const start = nowInEpoch();
  const [message] = await Promise.all([told, probe.call("run", { command: views[view] })]);
  return Number(message.text().slice(mark.length)) - skew - start;
}

/** Shows another view instead, and waits until the page is closed. */
async function hide({ page, probe, thread }: ProbedEditor): Promise<void> {
  await probe.call("run", { command: "workbench.view.explorer" });
  while ((await page.locator("iframe.webview").count()) > 0) await wait(50);
  await thread.becomesStill();
}
