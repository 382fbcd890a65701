import { measureActivations } from "./activations.ts";
import {
  atMost,
  type BenchRow,
  type BenchSize,
  type Figure,
  growingAmounts,
  withGrowth,
} from "./benchRow.ts";
import type { ChatDesk } from "./chatDesk.ts";
import type { MainThread } from "./mainThread.ts";
import { openEmptyView } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";

/** Megabytes by which a host may grow from ten chats to a hundred: about 10 KB a chat. */
const flat = 1;

/** Row 7: the heap of the extension host, and those of the window and the page in it, after garbage was collected. */
export async function benchMemory(size: BenchSize): Promise<readonly BenchRow[]> {
  const activation = await benchActivationMemory(size);
  const editor = await sharedEditor(size);
  await editor.start();
  const before = await editor.thread.heap();
  await editor.probe.call("run", { command: openEmptyView });
  await editor.thread.becomesStill();
  const empty = (await (await editor.threads()).heap()) - before;
  const desk = await editor.openChat();
  const chats = await benchChats(editor, desk, size);
  return [activation, chats, ...(await benchPages(await editor.threads(), desk, { before, empty }, size))];
}

async function benchActivationMemory(size: BenchSize): Promise<BenchRow> {
  const runs = await measureActivations(size);
  const ours = megabytes("after activation", median(runs.map((run) => run.ours.heap)));
  const settled = megabytes("two seconds later", median(runs.map((run) => run.settled)));
  const empty = megabytes("empty extension", median(runs.map((run) => run.empty.heap)));
  return {
    what: "memory of the host after activation",
    ours: [ours, settled],
    peers: [],
    limits: [empty],
    goals: [
      atMost("MB over empty after activation", ours.value - empty.value, 2),
      atMost("MB over empty two seconds later", settled.value - empty.value, 2),
    ],
  };
}

/** Short chats, one behind the other in one host. */
async function benchChats({ probe }: ProbedEditor, desk: ChatDesk, { scale }: BenchSize): Promise<BenchRow> {
  const counts = scale === 1 ? [1, 10, 100] : [1, 2, 3];
  const start = await probe.call("heap", null);
  const ours: Figure[] = [];
  for (let chat = 1; chat <= (counts.at(-1) ?? 0); chat += 1) {
    await desk.prepare(createSampleAnswer(2_000));
    await desk.ask();
    await desk.answerEnded();
    if (!counts.includes(chat)) continue;
    ours.push(
      megabytes(`after ${chat === 1 ? "the first chat" : `${chat} chats`}`, await probe.call("heap", null)),
    );
  }
  const [, few, many] = ours;
  const growth = (many?.value ?? Number.NaN) - (few?.value ?? Number.NaN);
  return {
    what: "memory of the whole host, chat by chat",
    ours,
    peers: [],
    limits: [megabytes("before the first chat", start)],
    goals: [atMost(`MB from ${counts[1]} to ${counts[2]} chats`, growth, flat)],
  };
}

/** What window and page hold more than the window did before there was a page, behind answers of three sizes. */
async function benchPages(
  threads: MainThread,
  desk: ChatDesk,
  { before, empty }: { readonly before: number; readonly empty: number },
  size: BenchSize,
): Promise<readonly BenchRow[]> {
  const short = await heapAfter("Yes.", threads, desk);
  const rows: BenchRow[] = [];
  for (const kilobytes of growingAmounts(1_000, size)) {
    const heap = await heapAfter(createSampleAnswer(kilobytes * 1_000), threads, desk);
    rows.push({
      what: `memory of the page after an answer of ${kilobytes} KB`,
      ours: [
        megabytes("ours", heap - before),
        {
          name: "above an answer of one word, for each KB",
          value: ((heap - short) * 1_000) / kilobytes,
          unit: "KB",
        },
      ],
      peers: [],
      limits: [megabytes("empty webview", empty)],
      goals: [],
    });
  }
  return withGrowth(rows);
}

/** Megabytes of window and page when the answer stands in a chat of its own. */
async function heapAfter(answer: string, threads: MainThread, desk: ChatDesk): Promise<number> {
  await desk.prepare(answer);
  await desk.ask();
  await desk.answerEnded();
  await threads.becomesStill();
  return threads.heap();
}

function megabytes(name: string, value: number): Figure {
  return { name, value, unit: "MB" };
}
