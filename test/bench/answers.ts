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

/** An answer of 100 KB takes the editor's own chat minutes. */
const mostRunsOfOther = 3;

/** What an answer cost: medians. */
interface AnswerCost {
  /** KB. */
  readonly size: number;
  /** Milliseconds of the main thread's processor time, without what an answer of one word costs. */
  readonly perKilobyte: number;
  readonly longest: LongestTasks;
}

/** Row 4: answers of real Markdown, as fast as they come, here and in the editor's own chat. */
export async function benchAnswers(benchSize: BenchSize): Promise<BenchResult> {
  const editor = await sharedEditor();
  const { small, middle, large, alone } = await measureOurs(editor, benchSize);
  // It is not to pay for what has been shown in the window before.
  await editor.becomeFresh();
  await using desk = await EditorChatDesk.open(editor);
  const measure = await costMeasure(desk, editor.thread, Math.min(benchSize.runs, mostRunsOfOther));
  const other = await measure(middle.size);
  // A task's duration counts the waiting for a processor, unless its thread has one alone, as no other chat's has.
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

/** Where a processor can be kept free, the page's main thread has it while its tasks are timed. */
async function measureOurs(editor: ProbedEditor, { runs, scale }: BenchSize) {
  const desk = await editor.openChat();
  await using free = await freeProcessor();
  await free?.giveTo(await desk.processOfPage());
  const threads = await desk.threads();
  // What all others use is loaded and warm behind some answers.
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

/** Measures answers of so many KB. */
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
