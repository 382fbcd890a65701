import {
  atMost,
  type BenchResult,
  type BenchSize,
  type Figure,
  formatNumber,
  milliseconds,
} from "./benchRow.ts";
import { EditorChatDesk } from "./editorChatDesk.ts";
import type { LongestTask, LongestTasks } from "./longTasks.ts";
import type { MainThread } from "./mainThread.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { freeProcessor } from "./processors.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";
import { measureStream, type StreamCost, type StreamDesk } from "./streams.ts";

/** Maximum runs in VS Code's own chat, which takes minutes for an answer of 100 KB. */
const mostRunsOfOther = 3;

/** The cost of an answer, as medians. */
interface AnswerCost {
  /** In KB. */
  readonly size: number;
  /** Milliseconds of the main threads' processor time per KB, without the cost of a one-word answer. */
  readonly perKilobyte: number;
  readonly longest: LongestTasks;
}

/** Row 4: answers in real Markdown at full speed, in our chat and in VS Code's own. */
export async function benchAnswers(benchSize: BenchSize): Promise<BenchResult> {
  const editor = await sharedEditor();
  const { small, middle, large, alone } = await measureOurs(editor, benchSize);
  // Reloads the window: content shown before must not slow VS Code's chat.
  await editor.becomeFresh();
  await using desk = await EditorChatDesk.open(editor);
  const measure = await costMeasure(desk, editor.thread, Math.min(benchSize.runs, mostRunsOfOther));
  const other = await measure(middle.size);
  // Wall time includes waiting for a processor, unless the thread has its own processor. VS Code's chat never has one.
  const time = alone ? "wall" : "cpu";
  const task = ({ longest }: AnswerCost, of: keyof LongestTasks): Figure => milliseconds(longest[of][time]);
  const longest = task(middle, "page");
  const otherLongest = milliseconds(other.longest.window.cpu);
  const ratio = middle.perKilobyte / other.perKilobyte;
  const growth = large.perKilobyte / small.perKilobyte;
  const name = "editor's chat";
  return {
    lines: [
      {
        what: `${formatNumber(middle.size)} KB page, longest task`,
        ours: longest,
        peer: { name, ...otherLongest },
        ratio: longest.value / otherLongest.value,
        goal: atMost(longest.value, 50, "ms"),
      },
      {
        what: `${formatNumber(middle.size)} KB page, CPU`,
        ours: cpuOf(middle),
        peer: { name, ...cpuOf(other) },
        ratio,
        goal: atMost(ratio, 1 / 20),
      },
      {
        what: `${formatNumber(large.size)} KB page, CPU`,
        ours: cpuOf(large),
        limit: { name: `${formatNumber(small.size)} KB`, ...cpuOf(small) },
        ratio: growth,
        goal: atMost(growth, 1.3),
      },
    ],
    figures: [small, middle, large].flatMap((each) => [
      { name: `${each.size} KB, longest task of the page, ${time}`, ...task(each, "page") },
      { name: `${each.size} KB, longest task of the window, ${time}`, ...task(each, "window") },
    ]),
  };
}

function cpuOf({ perKilobyte }: AnswerCost): Figure {
  return { value: perKilobyte, unit: "ms/KB" };
}

/** Measures our chat. Gives the page's main thread its own processor if one can be freed. */
async function measureOurs(editor: ProbedEditor, { runs, scale }: BenchSize) {
  const desk = await editor.openChat();
  await using free = await freeProcessor();
  await free?.giveTo(await desk.processOfPage());
  const threads = await desk.threads();
  // The first answers load and warm up the code that all later answers use.
  for (let count = 0; count < 2; count += 1)
    await measureStream(desk, threads, createSampleAnswer(10_000 * scale));
  const measure = await costMeasure(desk, threads, runs);
  const [small, middle, large] = [
    await measure(10 * scale),
    await measure(100 * scale),
    await measure(1_000 * scale),
  ];
  return { small, middle, large, alone: free !== undefined };
}

/** Returns a function that measures answers of a given size in KB. */
async function costMeasure(
  desk: StreamDesk,
  thread: MainThread,
  runs: number,
): Promise<(size: number) => Promise<AnswerCost>> {
  const repeat = async (answer: string): Promise<(read: (cost: StreamCost) => number) => number> => {
    const costs: StreamCost[] = [];
    for (let run = 0; run < runs; run += 1) costs.push(await measureStream(desk, thread, answer));
    return (read) => median(costs.map(read));
  };
  const short = (await repeat("Yes."))(({ cpu }) => cpu);
  return async (size) => {
    const medianOf = await repeat(createSampleAnswer(size * 1_000));
    const task = (of: keyof LongestTasks): LongestTask => ({
      cpu: medianOf(({ longest }) => longest[of].cpu),
      wall: medianOf(({ longest }) => longest[of].wall),
    });
    return {
      size,
      perKilobyte: (medianOf(({ cpu }) => cpu) - short) / size,
      longest: { page: task("page"), window: task("window") },
    };
  };
}
